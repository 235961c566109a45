import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { FollowedEvent } from "@paneward/sdk";
import { type DaemonArena, openIdle } from "./daemon-arena.ts";
import { wallClock } from "./dying.ts";
import { median, percentile } from "./measure.ts";
import { atMost, holds, joined, type Result } from "./result.ts";
import { spawned } from "./ways.ts";

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
  const polled: number[] = [];
  for (let at = 0; at < count; at++) {
    latencies.push(...(await questions.one(`${terminals}-${at}`)));
    if (at % 4 === 0) polled.push(await polledQuestion(arena, `${terminals}-${at}-polled`));
  }
  questions.close();
  const question = `prompt drawn to SSE client, ${terminals} terminal${terminals > 1 ? "s" : ""}`;
  const [middle, p99] = [median(latencies), percentile(latencies, 99)];
  return {
    rows: [
      { question: `${question}, median`, unit: "ms", ours: middle, spawn: median(polled), note: "spawn: a poller" },
      { question: `${question}, p99`, unit: "ms", ours: p99, spawn: percentile(polled, 99) },
    ],
    targets: [
      atMost(`${question}, median`, middle, 50, " ms"),
      atMost(`${question}, p99`, p99, 120, " ms"),
      // Also on a busy machine, which slows both.
      atMost(`${question}, median, times a plain poller`, middle / median(polled), 1, "x"),
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

  async one(name: string): Promise<readonly number[]> {
    const { client, folder } = this.#arena;
    const { argv, askedAt } = asking(folder, name);
    const { id } = await client.run({ argv });
    const timer = setTimeout(() => this.#newsOf(id).resolve(undefined), patienceMs);
    const at = await this.#newsOf(id).promise;
    clearTimeout(timer);
    await client.rm({ id });
    return at === undefined ? [] : [at - askedAt()];
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

/** The program records the time just before it asks, so that nothing is left out. */
function asking(folder: string, name: string) {
  const file = join(folder, `${name}.asked`);
  const script = `sleep 0.5; date +%s%N >'${file}'; printf 'Overwrite the file? [y/N] '; read answer`;
  return { argv: ["sh", "-c", script], askedAt: () => Number(readFileSync(file, "utf8")) / 1e6 };
}

/** The same as a plain poller of one screen sees it: a process every 100 ms. */
async function polledQuestion({ client, folder, env }: DaemonArena, name: string): Promise<number> {
  const { argv, askedAt } = asking(folder, name);
  const socket = env.PANEWARD_TMUX_SOCKET_PATH ?? "";
  const { id } = await client.run({ argv });
  const sessions = (await spawned(socket, "list-sessions", "-F", "#{session_name}")).split("\n");
  const session = sessions.find((one) => one.startsWith(`paneward-${id}-`)) ?? "";
  for (;;) {
    if ((await spawned(socket, "capture-pane", "-p", "-t", `=${session}:`)).includes("[y/N]")) break;
    await delay(pollMs);
  }
  const late = wallClock() - askedAt();
  await client.rm({ id });
  return late;
}

const pollMs = 100;
const count = 100;
const patienceMs = 20_000;
