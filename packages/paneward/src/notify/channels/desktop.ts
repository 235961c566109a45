import { channelTable } from "@paneward/sdk/config";
import type { Message, Outcome } from "../../model/notify/message.ts";
import type { ChannelKind, Tools } from "../channel.ts";
import { type Bus, sessionBus } from "../dbus/bus.ts";

/**
 * https://specifications.freedesktop.org/notification-spec/ over D-Bus, and not through notify-send: its words would be
 * readable for every user of the machine, as arguments of a process. On macOS by osascript, without buttons.
 */
export const desktop: ChannelKind = {
  traits: {
    kind: "desktop",
    text: channelTable.desktop.text,
    limits: { title: 200, body: 1_000, label: 40, buttons: 6 },
    later: "update",
    idempotent: false,
    // Its server reports a click only to the connection that showed the notice.
    bound: true,
  },
  send: (message, _to, tools) => show(message, 0, tools),
  async change(change, message, { ref }, tools) {
    if (process.platform === "darwin") return { kind: "refused", said: "macOS takes nothing back" };
    const id = Number(ref);
    if (change === "update") return show(message, id, tools);
    taps.delete(id);
    try {
      await withBus(tools, (bus) => bus.call({ ...server, member: "CloseNotification" }, "u", [id]));
      return { kind: "sent", said: "closed" };
    } catch (error) {
      // It is closed already, or its server has ended and everything that it showed is gone.
      return { kind: "refused", said: (error as Error).message };
    }
  },
  async listen(_to, onTap, _tools, signal) {
    tapped = onTap;
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    tapped = undefined;
  },
};

const server = {
  destination: "org.freedesktop.Notifications",
  path: "/org/freedesktop/Notifications",
  interface: "org.freedesktop.Notifications",
};

/** What the buttons of each notice that is shown answer. */
const taps = new Map<number, readonly string[]>();
let tapped: ((capability: string) => Promise<string>) | undefined;
let open: Promise<Bus> | undefined;

async function show(message: Message, replaces: number, tools: Tools): Promise<Outcome> {
  if (process.platform === "darwin") return onMac(message, tools);
  try {
    const id = await withBus(tools, async (bus) => {
      const [able] = (await bus.call({ ...server, member: "GetCapabilities" })) as [readonly string[]];
      const buttons = able.includes("actions") && message.over === undefined ? message.buttons : [];
      const [shown] = await bus.call({ ...server, member: "Notify" }, "susssasa{sv}i", [
        ...["Paneward", replaces, "", message.title],
        bodyOf(message, able.includes("body-markup")),
        buttons.flatMap(({ label }, index) => [String(index), label]),
        [["urgency", { type: "y", value: urgencies[message.urgency] }]],
        message.urgency === "low" ? byDefault : never,
      ]);
      taps.set(
        Number(shown),
        buttons.map(({ tap }) => tap),
      );
      return Number(shown);
    });
    return { kind: "sent", said: `shown as ${id}`, ref: String(id), delivered: true };
  } catch (error) {
    return { kind: "refused", said: (error as Error).message };
  }
}

const urgencies = { low: 0, normal: 1, high: 2 } as const;
const byDefault = -1;
const never = 0;

function bodyOf({ body, over }: Message, isMarkup: boolean): string {
  const text = over ?? body;
  return isMarkup ? text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;") : text;
}

async function withBus<Value>({ env }: Tools, work: (bus: Bus) => Promise<Value>): Promise<Value> {
  const now = await open?.catch(() => undefined);
  if (!now?.isOpen) open = connected(env);
  return work(await (open as Promise<Bus>));
}

async function connected(env: Tools["env"]): Promise<Bus> {
  const bus = await sessionBus(env);
  const rule = `type='signal',interface='${server.interface}'`;
  await bus.call({ destination: dbus, path: "/org/freedesktop/DBus", interface: dbus, member: "AddMatch" }, "s", [
    rule,
  ]);
  bus.onSignal(({ interface: of, member, body: [id, key] }) => {
    if (of !== server.interface) return;
    const found = taps.get(Number(id));
    if (member === "NotificationClosed") taps.delete(Number(id));
    const capability = member === "ActionInvoked" ? found?.[Number(key)] : undefined;
    if (capability === undefined) return;
    void tapped?.(capability);
  });
  return bus;
}

const dbus = "org.freedesktop.DBus";

// The words are arguments: on macOS other users cannot read them.
async function onMac({ title, body }: Message, { run }: Tools): Promise<Outcome> {
  // Behind the file's name nothing is an option, whatever a title begins with; `-` is the standard input.
  const script = "on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run\n";
  const ran = await run(["osascript", "-", title, body], { input: script, limitMs: 10_000 });
  if (ran.kind === "ended" && ran.code === 0) return { kind: "sent", said: "shown" };
  return { kind: "refused", said: ran.kind === "ended" ? ran.stderr.trim() : "osascript cannot be run" };
}
