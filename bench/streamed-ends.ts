import { join } from "node:path";
import type { End, FollowedEvent } from "@paneward/sdk";
import type { DaemonArena } from "./daemon-arena.ts";
import { type Death, dyingProgram, judge, patienceMs, wallClock } from "./dying.ts";

type News = { readonly at: number; readonly code: number };

/** Exits received by a client of the event stream, and the output it can read at that moment. */
export class StreamedEnds {
  readonly #arena: DaemonArena;
  readonly #stop = new AbortController();
  readonly #connected = Promise.withResolvers<void>();
  readonly #received = new Map<string, PromiseWithResolvers<News | undefined>>();
  #programs = 0;

  private constructor(arena: DaemonArena) {
    this.#arena = arena;
    this.#listen();
  }

  static async open(arena: DaemonArena): Promise<StreamedEnds> {
    const ends = new StreamedEnds(arena);
    await ends.#connected.promise;
    return ends;
  }

  async one(): Promise<Death> {
    const { client, folder } = this.#arena;
    const file = join(folder, `${++this.#programs}.time`);
    const { id } = await client.run({ argv: [...dyingProgram(file)] });
    const timer = setTimeout(() => this.#newsOf(id).resolve(undefined), patienceMs);
    const news = await this.#newsOf(id).promise;
    clearTimeout(timer);
    const { output } = await client.read({ id });
    await client.rm({ id });
    this.#received.delete(id);
    return judge(news, file, output.replaceAll("\n", "\r\n"));
  }

  close(): void {
    this.#stop.abort();
  }

  async #listen(): Promise<void> {
    const onConnection = () => this.#connected.resolve();
    const options = { types: ["terminal_closed"], signal: this.#stop.signal, onConnection };
    for await (const event of this.#arena.client.follow(options)) this.#receive(event);
  }

  #receive(event: FollowedEvent): void {
    if (event.type !== "terminal_closed") return;
    this.#newsOf(event.data.terminal).resolve({ at: wallClock(), code: codeOf(event.data.end) });
  }

  #newsOf(id: string): PromiseWithResolvers<News | undefined> {
    const news = this.#received.get(id) ?? Promise.withResolvers();
    this.#received.set(id, news);
    return news;
  }
}

function codeOf(end: End): number {
  return end.kind === "exited" ? end.code : -1;
}
