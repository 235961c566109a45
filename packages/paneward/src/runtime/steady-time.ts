import type { Clock } from "./ports.ts";

type Times = Pick<Clock, "now" | "monotonic">;

/** A date that somebody wrote by the wall clock, in monotonic time; never later than now. */
export function steadyTime(clock: Times, date: number): number {
  const now = clock.monotonic();
  return Math.min(now, date - clock.now() + now);
}

/** A monotonic time as a date for people. */
export function wallTime(clock: Times, time: number): number {
  return Math.round(time + clock.now() - clock.monotonic());
}
