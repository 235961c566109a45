import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FollowedEvent } from "@paneward/sdk";
import { type DaemonArena, openIdle } from "./daemon-arena.ts";
import { wallClock } from "./dying.ts";
import { median, percentile } from "./measure.ts";
import { atMost, holds, joined, type Result } from "./result.ts";

/** Time from a prompt on the screen until a client of the event stream has its question. */
export async function questionToClient(arena: DaemonArena): Promise<Result> {
  const results = [await measure(arena, 1)];
  await openIdle(arena, 99);
  results.push(await measure(arena, 100));
  return joined(results);
}

async function measure(arena: DaemonArena, terminals: number): Promise<Result> {
  const questions = await StreamedQuestions.open(arena);
  const latencies: number[] = [];
  for (let at = 0; at < count; at++) latencies.push(...(await questions.one(`${terminals}-${at}`)));
  questions.close();
  const question = `prompt drawn to SSE client, ${terminals} terminal${terminals > 1 ? "s" : ""}`;
  const [middle, p99] = [median(latencies), percentile(latencies, 99)];
  return {
    rows: [
      { question: `${question}, median`, unit: "ms", ours: middle },
      { question: `${question}, p99`, unit: "ms", ours: p99 },
    ],
    targets: [
      atMost(`${question}, median`, middle, 50, " ms"),
      atMost(`${question}, p99`, p99, 120, " ms"),
      holds(`${question}: every question reported`, `${latencies.length} of ${count}`, latencies.length === count),
    ],
  };
}

/** Questions received by a client of the event stream. */
class StreamedQuestions {
  readonly #arena: DaemonArena;
  readonly #stop = new AbortController();
  readonly #connected = Promise.withResolvers<void>();
  readonly #received = new Map<string, PromiseWithResolvers<number | undefined>>();

  private constructor(arena: DaemonArena) {
    this.#arena = arena;
    this.#listen();
  }

  static async open(arena: DaemonArena): Promise<StreamedQuestions> {
    const questions = new StreamedQuestions(arena);
    await questions.#connected.promise;
    return questions;
  }

  /** The program records the time just before it asks, so that nothing is left out. */
  async one(name: string): Promise<readonly number[]> {
    const { client, folder } = this.#arena;
    const file = join(folder, `${name}.asked`);
    const script = `sleep 0.5; date +%s%N >'${file}'; printf 'Overwrite the file? [y/N] '; read answer`;
    const { id } = await client.run({ argv: ["sh", "-c", script] });
    const timer = setTimeout(() => this.#newsOf(id).resolve(undefined), patienceMs);
    const at = await this.#newsOf(id).promise;
    clearTimeout(timer);
    await client.rm({ id });
    return at === undefined ? [] : [at - Number(readFileSync(file, "utf8")) / 1e6];
  }

  close(): void {
    this.#stop.abort();
  }

  async #listen(): Promise<void> {
    const onConnection = () => this.#connected.resolve();
    const options = { types: ["question_opened"], signal: this.#stop.signal, onConnection };
    for await (const event of this.#arena.client.follow(options)) this.#receive(event);
  }

  #receive(event: FollowedEvent): void {
    if (event.type === "question_opened") this.#newsOf(event.data.question.terminal).resolve(wallClock());
  }

  #newsOf(id: string): PromiseWithResolvers<number | undefined> {
    const news = this.#received.get(id) ?? Promise.withResolvers();
    this.#received.set(id, news);
    return news;
  }
}

const count = 100;
const patienceMs = 20_000;
