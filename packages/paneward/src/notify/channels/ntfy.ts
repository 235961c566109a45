import { channelTable } from "@paneward/sdk/config";
import type { Message, Outcome } from "../../model/notify/message.ts";
import { type Answered, type ChannelKind, isCapability, type Target, type Tools } from "../channel.ts";
import { failureOf, parsed, strange } from "../outcome.ts";

/**
 * https://docs.ntfy.sh/publish/ A button posts its capability to a second topic, which the sender reads: nothing has to be
 * reachable from outside. Without that topic it posts to the dashboard's address, if the configuration has one.
 */
export const ntfy: ChannelKind = {
  traits: {
    kind: "ntfy",
    text: channelTable.ntfy.text,
    limits: { title: 200, body: 1_500, label: 40, buttons: 3 },
    later: "update",
    // A message with the sequence id of another one takes its place.
    idempotent: true,
  },
  send: (message, to, tools) => publish(message, to, tools),
  change: (_change, message, to, tools) => publish(message, to, tools),
  async listen({ settings }, tapped, { fetch, sleep, now }, signal, heard) {
    const { server, answers } = settings;
    if (typeof answers !== "string") return;
    // What was pressed while the daemon was started again counts.
    let since = String(Math.floor(now() / 1_000) - restartSeconds);
    while (!signal.aborted) {
      // The server keeps the request open for a while; a poll every few seconds needs no open connection.
      const url = `${trimmed(server)}/${encodeURIComponent(answers)}/json?poll=1&since=${encodeURIComponent(since)}`;
      const answered = await fetch(url, { method: "GET", headers: authorization(settings), signal });
      const isGood = answered.kind === "answered" && answered.status === 200;
      if (!signal.aborted) heard(isGood ? undefined : troubleIn(answered, now()));
      for (const { id, capability } of isGood ? messagesIn(answered.text) : []) {
        since = id;
        if (capability !== undefined) await tapped(capability);
      }
      await sleep(isGood ? pollMs : retryMs, signal);
    }
  },
};

/** The messages of a poll, and the capability that each holds. Anybody who knows the topic can write to it. */
function messagesIn(text: string): readonly { readonly id: string; readonly capability?: string }[] {
  return text.split("\n").flatMap((line) => {
    const said = parsed(line) as { readonly id?: unknown; readonly event?: unknown; readonly message?: unknown };
    if (said?.event !== "message" || typeof said.id !== "string" || said.id.length > maxId) return [];
    const { id, message } = said;
    return [typeof message === "string" && isCapability(message) ? { id, capability: message } : { id }];
  });
}

function troubleIn(answered: Answered, now: number): string {
  return (failureOf(answered, now) ?? strange("ntfy")).said;
}

const restartSeconds = 60;
// It has twelve letters, and goes into an address.
const maxId = 100;
const pollMs = 3_000;
const retryMs = 15_000;

async function publish(message: Message, { settings }: Target, { fetch, now }: Tools): Promise<Outcome> {
  const body = JSON.stringify(bodyOf(message, settings));
  const headers = { "content-type": "application/json", ...authorization(settings) };
  const answered = await fetch(`${trimmed(settings.server)}/`, { method: "POST", headers, body });
  const failure = failureOf(answered, now());
  if (failure) return failure;
  const said = answered.kind === "answered" ? (parsed(answered.text) as { readonly id?: unknown }) : undefined;
  if (typeof said?.id !== "string") return strange("ntfy");
  return { kind: "sent", said: `message ${said.id}`, ref: said.id };
}

function bodyOf(message: Message, { topic, server, answers }: Target["settings"]): object {
  const to = typeof answers === "string" ? `${trimmed(server)}/${encodeURIComponent(answers)}` : undefined;
  const isJson = to === undefined;
  const url = to ?? (message.answerAt?.startsWith("https:") ? message.answerAt : undefined);
  const actions =
    url === undefined || message.over !== undefined
      ? []
      : message.buttons.map(({ label, tap }) => ({
          ...{ action: "http", label, url, method: "POST", clear: true },
          ...(isJson ? { headers: { "content-type": "application/json" } } : {}),
          body: isJson ? JSON.stringify({ tap }) : tap,
        }));
  const words = message.over === undefined ? message.body : `${message.over}`;
  return {
    ...{ topic, title: message.title, message: words === "" ? message.title : words },
    ...{ priority: message.over === undefined ? priorities[message.urgency] : 1, sequence_id: message.tag },
    ...(message.link === undefined ? {} : { click: message.link }),
    ...(actions.length === 0 ? {} : { actions }),
  };
}

const priorities = { low: 2, normal: 3, high: 4 } as const;

function authorization({ token }: Target["settings"]): Readonly<Record<string, string>> {
  return typeof token === "string" ? { authorization: `Bearer ${token}` } : {};
}

function trimmed(server: unknown): string {
  return String(server).replace(/\/+$/, "");
}
