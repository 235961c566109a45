import type { ListeningChannel } from "../runtime/ports.ts";
import type { Tapped, Tools } from "./channel.ts";
import { channelKind } from "./channels.ts";
import { withSecrets } from "./secrets.ts";

/** Polls the channels whose buttons answer without any way in from outside, one poller each. */
export class Listening {
  readonly #tools: Tools;
  readonly #tapped: (channel: string, capability: string) => Promise<string>;
  readonly #running = new Map<string, AbortController>();

  constructor(tools: Tools, tapped: (channel: string, capability: string) => Promise<string>) {
    this.#tools = tools;
    this.#tapped = tapped;
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
    const again = async () => {
      while (!stop.signal.aborted) {
        try {
          await listen({ settings: await withSecrets(settings) }, tapped, this.#tools, stop.signal);
          return;
        } catch {
          await this.#tools.sleep(retryMs, stop.signal);
        }
      }
    };
    void again();
  }
}

const retryMs = 10_000;
