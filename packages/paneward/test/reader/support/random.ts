/** A seeded random number generator. */
export interface Random {
  readonly seed: number;
  /** A whole number from 0 up to, not including, `below`. */
  below(below: number): number;
  pick<Thing>(things: readonly Thing[]): Thing;
}

/** The seed is PANEWARD_SEED or a new one; print it, so that a failure can be reproduced. */
export function random(seed = Number(process.env.PANEWARD_SEED ?? Date.now() % 1_000_000)): Random {
  let state = seed;
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
  return { seed, below, pick: (things) => things[below(things.length)] as (typeof things)[number] };
}
