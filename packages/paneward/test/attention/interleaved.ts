import type { Way } from "../../src/model/records.ts";

/** One thing that happens, and by which ways it becomes known. */
export interface Happening {
  readonly said: string;
  readonly ways: readonly Way[];
}

/** A way reports the happening with this number. */
export interface Arrival {
  readonly number: number;
  readonly way: Way;
}

/**
 * Every order in which the ways can report what happens. What is given or seen is of now; a hook comes before that, or
 * at any time after, but hooks keep their order. Nothing happens before what made it happen.
 */
export function* interleaved(happenings: readonly Happening[]): Generator<readonly Arrival[]> {
  const streamOf = (isOurs: boolean) =>
    happenings.flatMap(({ ways }, number) =>
      ways.filter((way) => (way !== "told") === isOurs).map((way): Arrival => ({ number, way })),
    );
  yield* merged(streamOf(true), streamOf(false), []);
}

function* merged(
  ours: readonly Arrival[],
  hooks: readonly Arrival[],
  before: readonly Arrival[],
): Generator<readonly Arrival[]> {
  const [our, ...ourRest] = ours;
  const [hook, ...hookRest] = hooks;
  if (!our && !hook) yield before;
  const newest = Math.max(-1, ...before.map(({ number }) => number));
  // What no way has reported yet has not happened, for all that is known.
  if (our && our.number >= newest && our.number <= newest + 1) yield* merged(ourRest, hooks, [...before, our]);
  const mayLead = hook && hook.number <= newest + 1 && (!our || our.number >= hook.number);
  const lags = hook && hook.number <= newest;
  if (hook && (mayLead || lags)) yield* merged(ours, hookRest, [...before, hook]);
}
