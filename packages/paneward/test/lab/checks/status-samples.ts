import { setTimeout as delay } from "node:timers/promises";
import type { Random } from "../../../../tmux/test/support/random.ts";
import { until } from "../../support/until.ts";
import type { Bench } from "../bench.ts";
import type { Words } from "../words.ts";
import { leaveDialog } from "./answers.ts";
import type { Sample, Truth } from "./status-share.ts";

export interface Trace {
  readonly truths: readonly Truth[];
  readonly samples: readonly Sample[];
  /** How often each scenario was played. */
  readonly played: Readonly<Record<string, number>>;
}

/** Plays so many scenarios while the status is asked for every 50 ms. The truth is what the model and the test itself did. */
export async function sampled(bench: Bench, words: Words, chance: Random, rounds: number): Promise<Trace> {
  const samples: Sample[] = [];
  const played: Record<string, number> = {};
  const scene = new Scene(bench, words, chance);
  let isOver = false;
  const sampling = (async () => {
    while (!isOver) {
      const at = Date.now();
      // While the daemon is down, nobody is told anything.
      const status = await bench.status().catch(() => undefined);
      if (status !== undefined) samples.push({ at, status });
      await delay(50);
    }
  })();
  try {
    await bench.becomes("Idle");
    scene.is("Idle");
    for (let round = 0; round < rounds; round += 1) {
      const name = chance.pick(scene.names);
      played[name] = (played[name] ?? 0) + 1;
      await scene.play(name);
      await delay(500 + chance.below(2_500));
    }
  } finally {
    isOver = true;
    await sampling;
  }
  return { truths: scene.truths, samples, played };
}

type Name = "a turn" | "a long prompt" | "much output" | "an interruption" | "a dialog" | "a killed daemon";

class Scene {
  readonly truths: Truth[] = [];
  readonly names: readonly Name[];
  readonly #bench: Bench;
  readonly #words: Words;
  readonly #chance: Random;

  constructor(bench: Bench, words: Words, chance: Random) {
    this.#bench = bench;
    this.#words = words;
    this.#chance = chance;
    const usual: readonly Name[] = [
      "a turn",
      "a turn",
      "a long prompt",
      "much output",
      "an interruption",
      "a killed daemon",
    ];
    this.names = words.dialog ? [...usual, "a dialog", "a dialog"] : usual;
  }

  is(status: string | undefined, at = Date.now()): void {
    this.truths.push({ at, status });
  }

  async play(name: Name): Promise<void> {
    const slow = `SLOW ${2 + this.#chance.below(4)}`;
    const long = Array.from({ length: 40 }, (_, line) => `line ${line + 1} of the prompt`).join("\n");
    if (name === "a turn") await this.#answered(await this.#asked(slow));
    if (name === "a long prompt") await this.#answered(await this.#asked(`${slow}\n${long}`));
    if (name === "much output") await this.#answered(await this.#asked("LONG 200"));
    if (name === "an interruption") await this.#interrupted(await this.#asked("SLOW 60"));
    if (name === "a dialog") await this.#dialog();
    if (name === "a killed daemon") {
      const turn = await this.#asked("SLOW 6");
      await this.#bench.daemon.kill("SIGKILL");
      await this.#bench.daemon.start();
      if (this.#bench.model.turns[turn]?.answeredAt === undefined) this.is("Running");
      await this.#answered(turn);
    }
  }

  /** From the call on it may work; it does once the model is asked. */
  async #asked(text: string): Promise<number> {
    const { daemon, model, id } = this.#bench;
    const turn = model.turns.length;
    this.is(undefined);
    await daemon.client.send({ id, text });
    await until("the model is asked", () => model.turns.length > turn, 60_000).catch(async (error: unknown) => {
      const { deliveries } = await daemon.client.deliveries({ id, limit: 3 });
      throw new Error(`${error}; ${JSON.stringify(deliveries)}; it shows\n${await this.#bench.screen()}`);
    });
    this.is("Running", model.turns[turn]?.askedAt);
    return turn;
  }

  async #answered(turn: number, then = "Idle"): Promise<void> {
    const { turns } = this.#bench.model;
    const at = await until("the model has answered", () => turns[turn]?.answeredAt, 60_000);
    this.is(then, at);
  }

  async #interrupted(turn: number): Promise<void> {
    const { daemon, id } = this.#bench;
    await delay(1_000 + this.#chance.below(1_500));
    this.is(undefined);
    await daemon.client.interrupt({ id });
    await this.#answered(turn);
  }

  /** It asks once the model's answer with the command has ended, and rests a while after the dialog is left. */
  async #dialog(): Promise<void> {
    const { run, dialog = /./ } = this.#words;
    await this.#answered(await this.#asked(run("touch sampled")), "Waiting");
    await this.#bench.becomes("Waiting");
    await delay(500 + this.#chance.below(2_500));
    this.is(undefined);
    await leaveDialog(this.#bench, dialog);
    await this.#bench.becomes("Idle");
    this.is("Idle");
  }
}
