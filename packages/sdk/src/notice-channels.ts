import type { TextLevel } from "./notice-kinds.ts";

/** One key of `[notify.channels.NAME]`. */
export interface ChannelKey {
  /** `id`: a number, or its text. `argv`: a program and its arguments. `address`: of the web. `hosts`: with their ports. */
  readonly type: "string" | "address" | "contact" | "hosts" | "argv" | "id";
  readonly means: string;
  readonly required?: true;
  /** May also be given as `KEY_file` or `KEY_command`, and is never shown. */
  readonly secret?: true;
  readonly byDefault?: string;
}

export interface ChannelRow {
  readonly means: string;
  /** How much text leaves, unless the configuration says otherwise. */
  readonly text: TextLevel;
  readonly keys: Readonly<Record<string, ChannelKey>>;
}

/** Every kind of channel, and what its configuration holds beside `kind` and `text`. What it does is in notify/channels. */
export const channelTable = {
  desktop: { means: "the notifications of your desktop, with buttons", text: "full", keys: {} },
  terminal: {
    means:
      "the status line of the tmux clients that are attached to Paneward's programs, and the notifications of the terminals around them",
    text: "full",
    keys: {},
  },
  command: {
    means: "a program of yours, with the notice as JSON on its standard input",
    text: "full",
    keys: {
      command: { type: "argv", required: true, means: "the program and its arguments; no shell is involved" },
    },
  },
  ntfy: {
    means: "a topic of ntfy.sh or of an ntfy server of your own; its buttons answer through a second topic",
    text: "title",
    keys: {
      topic: { type: "string", required: true, secret: true, means: "the topic; whoever knows it can read it" },
      answers: {
        type: "string",
        secret: true,
        means: "a second topic, for answers; without it there are no buttons",
      },
      server: { type: "address", byDefault: "https://ntfy.sh", means: "the server" },
      token: { type: "string", secret: true, means: "an access token of the server" },
    },
  },
  telegram: {
    means: "a chat with a bot of yours; its buttons answer",
    text: "title",
    keys: {
      token: { type: "string", required: true, secret: true, means: "the bot's token, from @BotFather" },
      chat: { type: "id", required: true, means: "the id of the chat; answers from others are refused" },
      server: { type: "address", byDefault: "https://api.telegram.org", means: "the server of the bot API" },
    },
  },
  slack: {
    means: "an incoming webhook of Slack",
    text: "title",
    keys: { url: { type: "address", required: true, secret: true, means: "the webhook's address" } },
  },
  discord: {
    means: "a webhook of a Discord channel",
    text: "title",
    keys: { url: { type: "address", required: true, secret: true, means: "the webhook's address" } },
  },
  pushover: {
    means: "Pushover; what is urgent repeats until it is acknowledged",
    text: "title",
    keys: {
      token: { type: "string", required: true, secret: true, means: "the application's token" },
      user: { type: "string", required: true, secret: true, means: "the key of the user or group" },
      server: { type: "address", byDefault: "https://api.pushover.net", means: "the server" },
    },
  },
  web_push: {
    means:
      "every browser that asked for notices, also while no page is open; with buttons, encrypted for that browser alone",
    text: "full",
    keys: {
      subject: {
        type: "contact",
        byDefault: "mailto:nobody@example.com",
        means: "the contact that a push service may ask about these messages: a mailto: or https: address",
      },
      hosts: {
        type: "hosts",
        means: "push services of your own, beside those of the known browsers: `push.example.org`",
      },
    },
  },
  webhook: {
    means: "a POST to an address of yours, signed as Standard Webhooks describe",
    text: "title",
    keys: {
      url: { type: "address", required: true, means: "the address" },
      secret: {
        type: "string",
        secret: true,
        means: "the key of the signature, `whsec_…`; without it nothing is signed",
      },
    },
  },
} as const satisfies Readonly<Record<string, ChannelRow>>;

export type ChannelKindName = keyof typeof channelTable;
