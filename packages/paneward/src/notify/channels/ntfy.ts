import { Lines } from "@paneward/sdk";
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
      // Kept open by the server, which grants one request in five seconds to all that share an internet address.
      const url = `${trimmed(server)}/${encodeURIComponent(answers)}/json?since=${encodeURIComponent(since)}`;
      const lines = new Lines(maxLine);
      let isOpen = false;
      let pressed = Promise.resolve();
      const arriving = (piece: string) => {
        for (const { id, capability } of lines.take(piece).flatMap(eventIn)) {
          if (!isOpen && !signal.aborted) heard(undefined);
          isOpen = true;
          since = id ?? since;
          if (capability !== undefined) pressed = pressed.then(async () => void (await tapped(capability)));
        }
      };
      const askedAt = now();
      const request = { method: "GET", headers: authorization(settings), limitMs: openMs, signal, arriving } as const;
      const answered = await fetch(url, request);
      arriving("\n");
      await pressed;
      if (!isOpen && !signal.aborted) heard(troubleIn(answered, now()));
      const pause = isOpen ? askedAt + pauseMs - now() : retryMs;
      if (pause > 0) await sleep(pause, signal);
    }
  },
};

/** What a line says: the id of a message, and the capability that it holds. Anybody who knows the topic can write to it. */
function eventIn(line: string): readonly { readonly id?: string; readonly capability?: string }[] {
  const one = parsed(line) as { readonly id?: unknown; readonly event?: unknown; readonly message?: unknown };
  if (one?.event === "open" || one?.event === "keepalive") return [{}];
  if (one?.event !== "message" || typeof one.id !== "string" || one.id.length > maxId) return [];
  const { id, message } = one;
  return [typeof message === "string" && isCapability(message) ? { id, capability: message } : { id }];
}

function troubleIn(answered: Answered, now: number): string {
  return (failureOf(answered, now) ?? strange("ntfy")).said;
}

const restartSeconds = 60;
// It has twelve letters, and goes into an address.
const maxId = 100;
const maxLine = 1_048_576;
/** A connection that was lost without a word is noticed then. */
const openMs = 60_000;
const pauseMs = 6_000;
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
  const words = message.over ?? message.body;
  const shown = fitting(words);
  const actions =
    url === undefined || message.over !== undefined || shown !== words
      ? []
      : message.buttons.map(({ label, tap }) => ({
          ...{ action: "http", label, url, method: "POST", clear: true },
          ...(isJson ? { headers: { "content-type": "application/json" } } : {}),
          body: isJson ? JSON.stringify({ tap }) : tap,
        }));
  return {
    ...{ topic, title: message.title, message: shown === "" ? message.title : shown },
    ...{ priority: message.over === undefined ? priorities[message.urgency] : 1, sequence_id: message.tag },
    ...(message.link === undefined ? {} : { click: message.link }),
    ...(actions.length === 0 ? {} : { actions }),
  };
}

/** A longer text would become an attached file, and its buttons would answer what nobody has read. */
function fitting(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  // A letter that was cut in two ends as one that means "unreadable".
  return `${bytes.toString("utf8", 0, maxBytes - "…".length * 3).replace(/\uFFFD+$/, "")}…`;
}

const maxBytes = 4_096;

const priorities = { low: 2, normal: 3, high: 4 } as const;

function authorization({ token }: Target["settings"]): Readonly<Record<string, string>> {
  return typeof token === "string" ? { authorization: `Bearer ${token}` } : {};
}

function trimmed(server: unknown): string {
  return String(server).replace(/\/+$/, "");
}
