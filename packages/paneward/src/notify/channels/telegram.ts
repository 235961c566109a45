import { channelTable } from "@paneward/sdk/config";
import type { Message, Outcome } from "../../model/notify/message.ts";
import { type Answered, type ChannelKind, isCapability, type Tapped, type Target, type Tools } from "../channel.ts";
import { failureOf, parsed, strange } from "../outcome.ts";

/** https://core.telegram.org/bots/api Buttons are asked for with getUpdates: nothing has to be reachable from outside. */
export const telegram: ChannelKind = {
  traits: {
    kind: "telegram",
    text: channelTable.telegram.text,
    limits: { title: 200, body: 3_500, label: 60, buttons: 8 },
    later: "update",
    idempotent: false,
  },
  send: (message, to, tools) => deliver("sendMessage", message, to, tools),
  async change(_change, message, to, tools) {
    const outcome = await deliver("editMessageText", message, to, tools, { message_id: Number(to.ref) });
    // The words may be the same as before.
    return outcome.kind === "refused" && outcome.said.includes("message is not modified")
      ? { kind: "sent", said: "it is shown like this already" }
      : outcome;
  },
  async listen(to, tapped, tools, signal, heard) {
    let offset = 0;
    let askedAt = Number.NEGATIVE_INFINITY;
    while (!signal.aborted) {
      // It answers at once when there is something, and what answers in its place perhaps always.
      const pause = Math.min(minPollMs, askedAt + minPollMs - tools.now());
      if (pause > 0) await tools.sleep(pause, signal);
      askedAt = tools.now();
      // Telegram keeps the request open until there is an update; a second poller with the same token gets 409.
      const asked = { offset, timeout: pollSeconds, allowed_updates: ["callback_query"] };
      const answered = await call("getUpdates", to, tools, asked, { limitMs: (pollSeconds + 10) * 1_000, signal });
      const updates = resultOf(answered);
      const trouble = Array.isArray(updates)
        ? undefined
        : (failureOf(answered, tools.now()) ?? strange("Telegram")).said;
      if (!signal.aborted) heard(trouble);
      if (!Array.isArray(updates)) {
        await tools.sleep(retryMs, signal);
        continue;
      }
      for (const update of updates as readonly (Update | null)[]) {
        const id = update?.update_id;
        // What it was told to leave out was heard before.
        if (typeof id !== "number" || !Number.isSafeInteger(id + 1) || id < offset) continue;
        offset = id + 1;
        if (update?.callback_query) await pressed(update.callback_query, to, tapped, tools);
      }
    }
  },
};

const pollSeconds = 25;
const minPollMs = 1_000;
const retryMs = 5_000;

interface Update {
  readonly update_id?: unknown;
  readonly callback_query?: {
    readonly id?: unknown;
    readonly data?: unknown;
    readonly message?: { readonly chat?: { readonly id?: unknown } };
  };
}

async function pressed(
  { id, data, message }: NonNullable<Update["callback_query"]>,
  to: Target,
  tapped: Tapped,
  tools: Tools,
): Promise<void> {
  if (typeof id !== "string") return;
  const isOurs = String(message?.chat?.id) === String(to.settings.chat);
  const isTap = isOurs && typeof data === "string" && isCapability(data);
  const words = isTap ? await tapped(data) : `not a button ${isOurs ? "of ours" : "in this chat"}`;
  // At most 200 characters; without an answer the button keeps turning.
  await call("answerCallbackQuery", to, tools, { callback_query_id: id, text: words.slice(0, 200) });
}

async function deliver(
  method: string,
  message: Message,
  to: Target,
  tools: Tools,
  more: object = {},
): Promise<Outcome> {
  const { title, body, over, link, buttons } = message;
  const rows = over === undefined ? buttons.map(({ label, tap }) => [{ text: label, callback_data: tap }]) : [];
  const links = link?.startsWith("https:") ? [[{ text: "Open", url: link }]] : [];
  const answered = await call(method, to, tools, {
    ...{ chat_id: to.settings.chat, ...more },
    // Without a parse mode: nothing in it is markup.
    text: [title, over ?? body].filter((part) => part !== "").join("\n\n"),
    link_preview_options: { is_disabled: true },
    disable_notification: message.urgency === "low",
    reply_markup: { inline_keyboard: [...rows, ...links] },
  });
  const said = answered.kind === "answered" ? (parsed(answered.text) as Failure) : undefined;
  const pause = said?.parameters?.retry_after;
  if (typeof pause === "number") return { kind: "later", said: String(said?.description), afterMs: pause * 1_000 };
  const failure = failureOf(answered, tools.now());
  if (failure) return failure;
  const id = (resultOf(answered) as { readonly message_id?: unknown } | undefined)?.message_id;
  if (typeof id !== "number") return strange("Telegram");
  return { kind: "sent", said: `message ${id}`, ref: String(id) };
}

interface Failure {
  readonly description?: unknown;
  readonly parameters?: { readonly retry_after?: unknown };
}

function call(
  method: string,
  { settings }: Target,
  { fetch }: Tools,
  body: object,
  more: { readonly limitMs?: number; readonly signal?: AbortSignal } = {},
): Promise<Answered> {
  const url = `${String(settings.server).replace(/\/+$/, "")}/bot${String(settings.token)}/${method}`;
  const headers = { "content-type": "application/json" };
  return fetch(url, { method: "POST", headers, body: JSON.stringify(body), ...more });
}

function resultOf(answered: Answered): unknown {
  if (answered.kind !== "answered" || answered.status !== 200) return undefined;
  const said = parsed(answered.text) as { readonly ok?: unknown; readonly result?: unknown } | undefined;
  return said?.ok === true ? said.result : undefined;
}
