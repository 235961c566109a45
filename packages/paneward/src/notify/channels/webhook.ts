import { createHmac } from "node:crypto";
import { channelTable } from "@paneward/sdk/config";
import type { Message, Outcome } from "../../model/notify/message.ts";
import { howToMakeOne, isSigningKey, withoutPrefix } from "../../model/notify/signing-key.ts";
import type { Answered, ChannelKind, Target, Tools } from "../channel.ts";
import { failureOfStatus } from "../outcome.ts";

/** A POST as https://www.standardwebhooks.com describes it. Its id tells a receiver what it has seen already. */
export const webhook: ChannelKind = {
  traits: {
    kind: "webhook",
    text: channelTable.webhook.text,
    limits: { title: 200, body: 16_000, label: 200, buttons: 20 },
    later: "update",
    idempotent: true,
  },
  send: (message, to, tools) => post("notice", message, to, tools),
  change: (change, message, to, tools) =>
    post(change === "withdraw" ? "notice.over" : "notice.changed", message, to, tools),
};

async function post(type: string, message: Message, { settings }: Target, { fetch, now }: Tools): Promise<Outcome> {
  const key = keyIn(settings.secret);
  if (key === "none") return { kind: "refused", said: `the secret is no key: make one with \`${howToMakeOne}\`` };
  const { tag, ...data } = message;
  const body = JSON.stringify({ type, timestamp: new Date(message.at).toISOString(), data: { id: tag, ...data } });
  const id = type === "notice" ? tag : `${tag}.${type.split(".")[1]}.${contentOf(body)}`;
  const seconds = String(Math.floor(now() / 1_000));
  const answered = await fetch(String(settings.url), {
    method: "POST",
    headers: { "content-type": "application/json", ...signature(key, id, seconds, body) },
    body,
  });
  const failure = failureOfStatus(answered, now());
  // Whatever a receiver answers, it may take the same id later; only 410 says that it never will.
  if (failure?.kind === "refused" && answered.kind === "answered" && answered.status !== 410)
    return { kind: "later", said: failure.said };
  if (failure) return failure;
  const { status } = answered as Extract<Answered, { readonly status?: number }>;
  return { kind: "sent", said: `answered with ${status}`, ref: tag };
}

// Two changes of the same notice are two messages; the same change that is repeated is one.
function contentOf(body: string): string {
  return createHmac("sha256", "change").update(body).digest("base64url").slice(0, 12);
}

/** The bytes of a secret. */
function keyIn(secret: unknown): Buffer | "none" | undefined {
  if (typeof secret !== "string") return undefined;
  return isSigningKey(secret) ? Buffer.from(withoutPrefix(secret), "base64") : "none";
}

function signature(
  key: Buffer | undefined,
  id: string,
  seconds: string,
  body: string,
): Readonly<Record<string, string>> {
  const headers = { "webhook-id": id, "webhook-timestamp": seconds };
  if (key === undefined) return headers;
  const signed = createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64");
  return { ...headers, "webhook-signature": `v1,${signed}` };
}
