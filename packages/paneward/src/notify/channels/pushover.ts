import { channelTable } from "@paneward/sdk/config";
import type { Message } from "../../model/notify/message.ts";
import type { ChannelKind } from "../channel.ts";
import { failureOf, parsed, strange } from "../outcome.ts";

/** https://pushover.net/api What holds work up repeats until it is acknowledged; the receipt takes that back. */
export const pushover: ChannelKind = {
  traits: {
    kind: "pushover",
    text: channelTable.pushover.text,
    limits: { title: 200, body: 1_000, label: 0, buttons: 0 },
    later: "withdraw",
    idempotent: false,
  },
  async send(message, { settings }, { fetch, now }) {
    const answered = await fetch(`${trimmed(settings.server)}/1/messages.json`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: fieldsOf(message, settings).toString(),
    });
    const said = answered.kind === "answered" ? (parsed(answered.text) as Said | undefined) : undefined;
    const failure = failureOf(answered, now());
    if (failure) return failure;
    if (said?.status !== 1) return strange("Pushover");
    const ref = typeof said.receipt === "string" ? { ref: said.receipt } : {};
    return { kind: "sent", said: `request ${String(said.request)}`, ...ref };
  },
  // Only what repeats has a receipt; what was shown once cannot be taken back.
  async change(_change, _message, { settings, ref }, { fetch, now }) {
    const answered = await fetch(`${trimmed(settings.server)}/1/receipts/${encodeURIComponent(ref)}/cancel.json`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ token: String(settings.token) }).toString(),
    });
    return failureOf(answered, now()) ?? { kind: "sent", said: "it repeats no longer" };
  },
};

interface Said {
  readonly status?: unknown;
  readonly request?: unknown;
  readonly receipt?: unknown;
}

function fieldsOf({ title, body, urgency, link, at }: Message, { token, user }: Readonly<Record<string, unknown>>) {
  return new URLSearchParams({
    ...{ token: String(token), user: String(user), title, message: body === "" ? title : body },
    ...{ priority: String(priorities[urgency]), timestamp: String(Math.floor(at / 1_000)) },
    ...(urgency === "high" ? { retry: String(retrySeconds), expire: String(expireSeconds) } : {}),
    ...(link === undefined ? {} : { url: link, url_title: "Open" }),
  });
}

const priorities = { low: -1, normal: 0, high: 2 } as const;
const retrySeconds = 60;
const expireSeconds = 3_600;

function trimmed(server: unknown): string {
  return String(server).replace(/\/+$/, "");
}
