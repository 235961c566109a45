import type { ListeningChannel } from "../runtime/ports.ts";
import type { Heard, Tapped, Tools } from "./channel.ts";
import { channelKind } from "./channels.ts";
import { scrubbed, withSecrets } from "./secrets.ts";

/** Polls the channels whose buttons answer without any way in from outside, one poller each. */
export class Listening {
  readonly #tools: Tools;
  readonly #tapped: (channel: string, capability: string) => Promise<string>;
  readonly #heard: (channel: string, trouble: string | undefined) => void;
  readonly #running = new Map<string, AbortController>();

  /** `heard`: whether the buttons of a channel can be heard has changed. */
  constructor(
    tools: Tools,
    tapped: (channel: string, capability: string) => Promise<string>,
    heard: (channel: string, trouble: string | undefined) => void,
  ) {
    this.#tools = tools;
    this.#tapped = tapped;
    this.#heard = heard;
  }

  to(channels: readonly ListeningChannel[]): void {
    const wanted = new Map(channels.map((one) => [JSON.stringify(one), one]));
    for (const [key, running] of this.#running) {
      if (wanted.has(key)) continue;
      running.abort();
      this.#running.delete(key);
    }
    for (const [key, one] of wanted) if (!this.#running.has(key)) this.#begin(key, one);
  }

  #begin(key: string, { channel, kind, settings }: ListeningChannel): void {
    const listen = channelKind(kind)?.listen;
    if (!listen) return;
    const stop = new AbortController();
    this.#running.set(key, stop);
    const tapped: Tapped = (capability) => this.#tapped(channel, capability);
    // The first word is always said: what was said of this channel with other settings is over.
    let last: string | undefined | null = null;
    const heard: Heard = (trouble) => {
      if (trouble !== last) this.#heard(channel, trouble);
      last = trouble;
    };
    const again = async () => {
      while (!stop.signal.aborted) {
        try {
          const whole = await withSecrets(settings);
          const said: Heard = (trouble) => heard(trouble && scrubbed(trouble, whole));
          await listen({ settings: whole }, tapped, this.#tools, stop.signal, said);
          return;
        } catch (error) {
          heard((error as Error).message);
          await this.#tools.sleep(retryMs, stop.signal);
        }
      }
    };
    void again();
  }
}

const retryMs = 10_000;
