import type { ChannelKind } from "./channel.ts";
import { command } from "./channels/command.ts";
import { desktop } from "./channels/desktop.ts";
import { discord } from "./channels/discord.ts";
import { ntfy } from "./channels/ntfy.ts";
import { pushover } from "./channels/pushover.ts";
import { slack } from "./channels/slack.ts";
import { telegram } from "./channels/telegram.ts";
import { terminal } from "./channels/terminal.ts";
import { webPush } from "./channels/web-push.ts";
import { webhook } from "./channels/webhook.ts";

/** Every kind of channel; its row in the configuration is in the sdk's notice-channels.ts. */
const channelKinds: readonly ChannelKind[] = [
  desktop,
  terminal,
  command,
  ntfy,
  telegram,
  slack,
  discord,
  pushover,
  webhook,
  webPush,
];

export function channelKind(kind: string): ChannelKind | undefined {
  return channelKinds.find(({ traits }) => traits.kind === kind);
}
