import type { Cancel, Clock } from "../../src/runtime/ports.ts";

interface Waiting {
  readonly at: number;
  readonly order: number;
  readonly call: () => void;
}

/** A clock that stands still until a test moves it. What is due is called in order, each with its promises settled. */
export class FakeClock implements Clock {
  #steady: number;
  #wall: number;
  #order = 0;
  readonly #waiting = new Set<Waiting>();

  constructor(start = 1_000_000) {
    this.#steady = start;
    this.#wall = start;
  }

  now = (): number => this.#wall;
  monotonic = (): number => this.#steady;

  sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = () => {
        cancel();
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const cancel = this.timer(ms, done);
      signal?.addEventListener("abort", done);
    });

  timer = (ms: number, call: () => void): Cancel => {
    const one: Waiting = { at: this.#steady + Math.max(0, ms), order: this.#order++, call };
    this.#waiting.add(one);
    return () => this.#waiting.delete(one);
  };

  interval = (ms: number, call: () => void): Cancel => {
    let cancel: Cancel = () => {};
    const again = () => {
      cancel = this.timer(ms, () => {
        again();
        call();
      });
    };
    again();
    return () => cancel();
  };

  /** Timers and sleeps that have not come due. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** The machine's clock is set: dates jump, deadlines do not. */
  setWall(by: number): void {
    this.#wall += by;
  }

  /** Moves time on, and settles every promise that follows from what came due. */
  async advance(ms: number): Promise<void> {
    const end = this.#steady + ms;
    await settled();
    for (let next = this.#next(end); next; next = this.#next(end)) {
      this.#waiting.delete(next);
      this.#move(next.at);
      next.call();
      await settled();
    }
    this.#move(end);
    await settled();
  }

  /** Moves time on until something is so; returns how long that took. Fails when it never becomes so. */
  async until(what: string, isSo: () => boolean, maxMs = 3_600_000): Promise<number> {
    const began = this.#steady;
    await settled();
    while (!isSo()) {
      const next = this.#next(began + maxMs);
      if (!next) throw new Error(`${what}: not within ${maxMs} ms, and nothing else is due`);
      await this.advance(next.at - this.#steady);
    }
    return this.#steady - began;
  }

  #next(end: number): Waiting | undefined {
    const due = [...this.#waiting].filter(({ at }) => at <= end);
    return due.sort((one, other) => one.at - other.at || one.order - other.order).at(0);
  }

  #move(to: number): void {
    const by = Math.max(0, to - this.#steady);
    this.#steady += by;
    this.#wall += by;
  }
}

/** Promises that follow from one another are done before the next turn of the loop. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
