import type { Message, Outcome } from "../../model/notify/message.ts";
import { type PushAddress, pushAddressTrouble } from "../../model/push-address.ts";
import type { ChannelKind, Target, Tools } from "../channel.ts";
import { failureOfStatus } from "../outcome.ts";
import { maxPayloadBytes, pushRequest } from "./web-push-request.ts";

/** Browsers, by the push service of each. The service cannot read what it passes on. */
export const webPush: ChannelKind = {
  traits: {
    ...{ kind: "web_push", text: "full", showsQuestions: true },
    // Browsers show no more than two buttons, and cut what is long.
    limits: { title: 120, body: 900, label: 60, buttons: 2 },
    ...{ later: "update", idempotent: true },
  },
  send: push,
  change: (_change, message, to, tools) => push(message, to, tools),
};

// A question may wait for a day; what is only good to know is not worth waking a phone for the next morning.
const ttlSeconds = { high: 24 * 3_600, normal: 12 * 3_600, low: 3_600 } as const;

async function push(message: Message, { settings, address }: Target, tools: Tools): Promise<Outcome> {
  const { subject = "", key = "", hosts = [] } = settings as Partial<Settings>;
  const to = address as PushAddress;
  const trouble = pushAddressTrouble(to.endpoint, hosts);
  if (trouble !== undefined) return { kind: "refused", said: trouble };
  const { urgency, tag } = message;
  const request = pushRequest(to, payloadOf(message), {
    ...{ key, subject, urgency, ttlSeconds: ttlSeconds[urgency] },
    now: Math.floor(tools.now() / 1_000),
    topic: topicOf(tag),
  });
  const answered = await tools.fetch(to.endpoint, request);
  const failure = failureOfStatus(answered, tools.now());
  if (failure) return failure;
  // The next one with the same tag takes its place.
  return { kind: "sent", said: "the push service took it", ref: tag };
}

interface Settings {
  readonly subject: string;
  /** The daemon's private key. */
  readonly key: string;
  readonly hosts: readonly string[];
}

/** What the service worker of the page shows: `PushedNotice` there. The question itself goes along if there is room. */
function payloadOf({ tag, title, body, urgency, buttons, page = "#/", asked, over }: Message): string {
  const shown = { tag, title, body, urgent: urgency === "high", buttons, page, question: asked?.question.id, over };
  const fits = (text: string) => Buffer.byteLength(text) <= maxPayloadBytes;
  const whole = JSON.stringify({ ...shown, asked });
  if (fits(whole)) return whole;
  // Letters of some languages, and escapes, take several bytes.
  for (let length = body.length; length > 0; length = Math.floor(length * 0.8)) {
    const isCut = length < body.length;
    // A button answers what is shown whole, and this is not.
    const cut = isCut ? { body: `${body.slice(0, length).toWellFormed()}…`, buttons: [] } : {};
    const text = JSON.stringify({ ...shown, ...cut });
    if (fits(text)) return text;
  }
  return JSON.stringify({ ...shown, title: [...title].slice(0, 60).join(""), body: "…", buttons: [] });
}

/** At most 32 letters of base64url. */
function topicOf(tag: string): string {
  return tag.replace(/[^A-Za-z0-9_-]/g, "").slice(0, 32);
}
