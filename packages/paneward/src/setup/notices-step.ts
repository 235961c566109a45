import { fileBack } from "./back.ts";
import { bytesOf } from "./files.ts";
import type { Step } from "./step.ts";
import { configIn } from "./user-config.ts";

interface Request {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userConfig: string;
  readonly platform: string;
}

/** A channel for notices: the desktop, where there is one. Others have secrets and are set up by hand. */
export function noticesStep({ env, userConfig, platform }: Request): Step {
  return {
    name: "notices",
    async look() {
      const before = await bytesOf(userConfig);
      const text = before?.toString("latin1") ?? "";
      const channels = channelsOf(before, userConfig);
      if (channels.length > 0) return { state: "in place", detail: `channels: ${channels.join(", ")}` };
      if (!hasDesktop(env, platform)) {
        return { state: "not possible", detail: "no desktop here; phone, chat and others by hand: docs/notify.md" };
      }
      const added = `${text === "" ? "" : text.endsWith("\n") ? "\n" : "\n\n"}${lines}`;
      const after = Buffer.from(text + added, "latin1");
      if (!isReadable(after, userConfig)) return { state: "not possible", detail: "by hand: docs/notify.md" };
      return {
        state: "missing",
        offer: {
          why: "the desktop tells you when something needs you, with buttons",
          says: [`${userConfig}: a channel for notices${before === undefined ? ", in a new file" : " at its end"}`],
          edits: [{ path: userConfig, before, after, added }],
          advice: "`paneward notify test desktop` sends one",
        },
      };
    },
    back({ file }) {
      if (!file) throw new Error("a channel is made in a file");
      const isIn = (text: string) => text.includes(heading);
      return fileBack(file, { isIn }, `remove ${heading} and the lines below it by hand`);
    },
  };
}

const heading = "[notify.channels.desktop]";
const lines = `${heading}\nkind = "desktop"\n`;

function channelsOf(bytes: Buffer | undefined, name: string): readonly string[] {
  return bytes === undefined ? [] : Object.keys(configIn(bytes.toString("utf8"), name).notify.channels);
}

/** A table that was begun in another way cannot be continued at the end. */
function isReadable(bytes: Buffer, name: string): boolean {
  try {
    return channelsOf(bytes, name).includes("desktop");
  } catch {
    return false;
  }
}

function hasDesktop(env: Request["env"], platform: string): boolean {
  if (platform === "darwin") return true;
  return Boolean(env.DBUS_SESSION_BUS_ADDRESS && (env.WAYLAND_DISPLAY || env.DISPLAY));
}
