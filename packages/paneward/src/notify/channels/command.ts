import { channelTable } from "@paneward/sdk/config";
import type { Message, Outcome } from "../../model/notify/message.ts";
import type { ChannelKind, Target, Tools } from "../channel.ts";

/** A program of the user's, with the notice as JSON on its standard input. What it prints is what came back. */
export const command: ChannelKind = {
  traits: {
    kind: "command",
    text: channelTable.command.text,
    limits: { title: 200, body: 16_000, label: 200, buttons: 20 },
    later: "update",
    idempotent: false,
  },
  send: (message, to, tools) => run("notice", message, to, tools),
  change: (change, message, to, tools) =>
    run(change === "withdraw" ? "notice.over" : "notice.changed", message, to, tools),
};

async function run(type: string, message: Message, { settings }: Target, { run: runs }: Tools): Promise<Outcome> {
  const argv = Array.isArray(settings.command) ? settings.command.map(String) : [];
  const { tag, ...data } = message;
  const input = `${JSON.stringify({ type, data: { id: tag, ...data } })}\n`;
  const ran = await runs(argv, { input, limitMs });
  if (ran.kind === "missing") return { kind: "refused", said: `${argv[0]} cannot be run: ${ran.reason}` };
  if (ran.kind === "silent") return { kind: "unknown", said: `${argv[0]} did not end within ${limitMs / 1_000} s` };
  const [line = ""] = (ran.code === 0 ? ran.stdout : ran.stderr).trim().split("\n");
  const words = line === "" ? "" : `: ${line.slice(0, 200)}`;
  if (ran.code === 0) return { kind: "sent", said: `it ended with code 0${words}`, ref: tag };
  // As sendmail and others say it: try again later.
  if (ran.code === temporary) return { kind: "later", said: `it ended with code ${temporary}${words}` };
  return { kind: "refused", said: `it ended with code ${ran.code}${words}` };
}

const limitMs = 15_000;
/** EX_TEMPFAIL of sysexits.h. */
const temporary = 75;
