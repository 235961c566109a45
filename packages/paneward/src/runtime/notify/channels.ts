import { type ChannelConfig, type Config, ownValue } from "@paneward/sdk";
import { channelTable } from "@paneward/sdk/config";
import { channelOf } from "../../model/notify/schedule.ts";
import { hashOf } from "../access/tokens.ts";
import type { World } from "../world.ts";
import type { Destination } from "./book.ts";

/** One of several addresses of a channel, such as a browser's push subscription. */
export interface Address {
  readonly id: string;
  /** What the channel needs to reach it. */
  readonly address: unknown;
  /** Whether its reader may answer; absent: yes, as the user configured it. */
  readonly mayAnswer?: boolean;
}

/** Channels whose addresses are not in the configuration. */
export interface Addresses {
  /** Undefined: channels of this kind have none but their configuration. */
  of(kind: string): readonly Address[] | undefined;
  /** It will never work again. */
  gone(kind: string, id: string): void;
}

type ChannelWorld = Pick<World, "configFor" | "pushKey" | "machine">;

/** The channels as the configuration has them now. It is read again, so that a change holds without a restart. */
export class NotifyChannels {
  readonly #world: ChannelWorld;
  readonly #addresses: Addresses;
  #config: Config["notify"] | undefined;
  #hadAny = false;
  #settings: ReadonlyMap<string, string> = new Map();

  constructor(world: ChannelWorld, addresses: Addresses) {
    this.#world = world;
    this.#addresses = addresses;
  }

  /**
   * Returns whether the channels are others than before. While the file cannot be understood, because it is being edited, what
   * it said before holds. Without any channel all notices end: that is believed of a file when it is read twice.
   */
  async read(): Promise<boolean> {
    // Only the user's own file: a repository has no say in where anything is sent.
    const { config, isUnread } = await this.#world.configFor();
    if (isUnread) return false;
    const { notify: configured } = config;
    const hasAny = Object.keys(configured.channels).length > 0;
    const isSudden = this.#hadAny && !hasAny;
    this.#hadAny = hasAny;
    if (isSudden) return false;
    const hasBrowsers = (this.#addresses.of("web_push") ?? []).length > 0;
    const url = configured.url ?? config.web.origins.find((origin) => origin.startsWith("https:"));
    const notify = {
      ...configured,
      ...(url === undefined ? {} : { url }),
      channels: withBrowsers(configured.channels, hasBrowsers, this.#world.pushKey.path),
    };
    this.#settings = await settingsOf(notify.channels, this.#world.machine);
    const before = JSON.stringify(this.#config?.channels);
    this.#config = notify;
    return JSON.stringify(notify.channels) !== before;
  }

  get config(): Config["notify"] | undefined {
    return this.#config;
  }

  /** A fingerprint of a channel's settings, of the files with its secrets too: another one when they were changed. */
  settings(to: string): string | undefined {
    return this.#settings.get(channelOf(to));
  }

  get areConfigured(): boolean {
    return Object.keys(this.#config?.channels ?? {}).length > 0;
  }

  channel(to: string): ChannelConfig | undefined {
    return this.#config && ownValue(this.#config.channels, channelOf(to));
  }

  destinations(name: string): readonly Destination[] {
    const kind = this.channel(name)?.kind;
    if (kind === undefined) return [];
    const addresses = this.#addresses.of(kind);
    return addresses?.map(({ id }) => ({ to: `${name}/${id}`, kind })) ?? [{ to: name, kind }];
  }

  address(to: string): Address | undefined {
    const [name = "", id] = to.split("/");
    const kind = this.channel(name)?.kind ?? "";
    return id === undefined ? undefined : this.#addresses.of(kind)?.find((one) => one.id === id);
  }

  gone(to: string): void {
    const [name = "", id] = to.split("/");
    if (id !== undefined) this.#addresses.gone(this.channel(name)?.kind ?? "", id);
  }
}

/** What a program prints as a secret is not known here. */
async function settingsOf(
  channels: Config["notify"]["channels"],
  machine: Pick<World["machine"], "changedAt">,
): Promise<ReadonlyMap<string, string>> {
  const found = Object.entries(channels).map(async ([name, channel]) => {
    const files = Object.entries(channel).filter(([key]) => key.endsWith("_file"));
    const changed = await Promise.all(files.map(([, path]) => machine.changedAt(String(path))));
    return [name, hashOf(JSON.stringify([channel, changed])).slice(0, 16)] as const;
  });
  return new Map(await Promise.all(found));
}

/**
 * Browsers ask by themselves to be told, so their channel needs no configuration; it is there as soon as the first one has
 * asked. The configuration can have it under any name, to change which notices it gets.
 */
export function withBrowsers(
  channels: Config["notify"]["channels"],
  hasBrowsers: boolean,
  keyFile: string,
): Config["notify"]["channels"] {
  const isConfigured = Object.values(channels).some(({ kind }) => kind === "web_push");
  const subject = channelTable.web_push.keys.subject.byDefault;
  const byDefault: ChannelConfig = { kind: "web_push", text: channelTable.web_push.text, subject };
  const all = isConfigured || !hasBrowsers ? channels : { ...channels, browsers: byDefault };
  const withKey = (channel: ChannelConfig) =>
    channel.kind === "web_push" ? { ...channel, key_file: keyFile } : channel;
  return Object.fromEntries(Object.entries(all).map(([name, channel]) => [name, withKey(channel)]));
}
