import type { Clock } from "./ports.ts";

/** What a conversion reads. */
export type Times = Pick<Clock, "now" | "monotonic">;

/** A date by the wall clock, in monotonic time; never later than now. */
export function steadyTime(clock: Times, date: number): number {
  const now = clock.monotonic();
  return Math.min(now, date - clock.now() + now);
}

/**
 * How long ago a stored date is for sure: what is dropped after a day must not be dropped because the machine's clock
 * was set, forward or back, while the daemon runs.
 */
export function sureAge(clock: Times, date: number): number {
  return Math.min(clock.now(), clock.monotonic()) - date;
}

/** A monotonic time as a date for people. */
export function wallTime(clock: Times, time: number): number {
  return Math.round(time + clock.now() - clock.monotonic());
}

/**
 * Dates that may be asked for again later, each converted when it is first seen: when the machine's clock is set after
 * that, a date must not seem older or newer than it was.
 */
export class SteadyDates {
  readonly #clock: Times;
  readonly #known = new Map<string, { readonly date: number; readonly at: number }>();

  constructor(clock: Times) {
    this.#clock = clock;
  }

  /** The date that `key` has, in monotonic time. */
  at(key: string, date: number): number {
    const known = this.#known.get(key);
    if (known?.date === date) return known.at;
    const at = steadyTime(this.#clock, date);
    this.#known.delete(key);
    this.#known.set(key, { date, at });
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxDates && oldest !== undefined) this.#known.delete(oldest);
    return at;
  }
}

const maxDates = 10_000;
