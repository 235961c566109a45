import { channelTable } from "@paneward/sdk/config";
import type { Message, Outcome } from "../../model/notify/message.ts";
import type { ChannelKind, Target, Tools } from "../channel.ts";
import { failureOf, parsed, strange } from "../outcome.ts";

/** https://docs.discord.com/developers/resources/webhook Text and a link, edited when it is over; buttons need an app. */
export const discord: ChannelKind = {
  traits: {
    kind: "discord",
    text: channelTable.discord.text,
    limits: { title: 200, body: 1_200, label: 0, buttons: 0 },
    later: "update",
    idempotent: false,
  },
  send: (message, to, tools) => post(message, to, tools, "POST", "?wait=true"),
  change: (_change, message, to, tools) => post(message, to, tools, "PATCH", `/messages/${encodeURIComponent(to.ref)}`),
};

async function post(
  message: Message,
  { settings }: Target,
  { fetch, now }: Tools,
  method: "POST" | "PATCH",
  path: string,
): Promise<Outcome> {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ content: textOf(message), allowed_mentions: { parse: [] } });
  const answered = await fetch(`${String(settings.url).replace(/\/+$/, "")}${path}`, { method, headers, body });
  const said = answered.kind === "answered" ? (parsed(answered.text) as Said | undefined) : undefined;
  // Seconds, with a fraction; the header is rounded.
  if (answered.kind === "answered" && answered.status === 429 && typeof said?.retry_after === "number") {
    return { kind: "later", said: String(said.message ?? "too many messages"), afterMs: said.retry_after * 1_000 };
  }
  const failure = failureOf(answered, now());
  if (failure) return failure;
  if (typeof said?.id !== "string") return strange("Discord");
  return { kind: "sent", said: `message ${said.id}`, ref: said.id };
}

interface Said {
  readonly id?: unknown;
  readonly message?: unknown;
  readonly retry_after?: unknown;
}

function textOf({ title, body, link, over }: Message): string {
  const [first, last] = [`**${escaped(title)}**`, link === undefined ? "" : `<${link}>`];
  const room = maxContent - first.length - last.length - "\n\n".length;
  return [first, cut(escaped(over ?? body), room), last].filter((part) => part !== "").join("\n");
}

const maxContent = 2_000;

/** Escapes make a text up to twice as long. None is cut in two. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const whole = text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, "");
  return `${/^(?:\\.|[^\\])*/s.exec(whole)?.[0] ?? ""}…`;
}

function escaped(text: string): string {
  return text.replace(/[\\*_~`|>#[\]()<@:-]/g, "\\$&");
}
