import { channelTable } from "@paneward/sdk/config";
import type { Message } from "../../model/notify/message.ts";
import type { ChannelKind } from "../channel.ts";
import { failureOf, strange } from "../outcome.ts";

/** https://api.slack.com/messaging/webhooks Text and a link; buttons would need an app with an address of its own. */
export const slack: ChannelKind = {
  traits: {
    kind: "slack",
    text: channelTable.slack.text,
    limits: { title: 200, body: 2_500, label: 0, buttons: 0 },
    later: "nothing",
    idempotent: false,
  },
  async send(message, { settings }, { fetch, now }) {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ text: textOf(message), unfurl_links: false });
    const answered = await fetch(String(settings.url), { method: "POST", headers, body });
    const failure = failureOf(answered, now());
    if (failure) return failure;
    const isTaken = answered.kind === "answered" && answered.text.trim() === "ok";
    return isTaken ? { kind: "sent", said: "ok" } : strange("Slack");
  },
};

function textOf({ title, body, link }: Message): string {
  const parts = [`*${escaped(title)}*`, escaped(body), link === undefined ? "" : `<${escaped(link)}|Open>`];
  return parts.filter((part) => part !== "").join("\n");
}

// With these three, nothing in a text is a mention or a link.
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
