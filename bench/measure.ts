/** Milliseconds per call, in the order measured. */
export type Samples = readonly number[];

export function median(samples: Samples): number {
  return percentile(samples, 50);
}

/** The smallest sample that is not smaller than `percent` of all; NaN if there are none. */
export function percentile(samples: Samples, percent: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN;
}

/** Duration of one call. */
export async function timed(call: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await call();
  return performance.now() - began;
}

/**
 * Runs every method once per round, starting with a different one each time, so that a busy moment of the machine
 * affects all of them. Each method returns the samples of one round.
 */
export async function interleaved<Name extends string>(
  rounds: number,
  ways: Readonly<Record<Name, () => Promise<Samples>>>,
): Promise<Readonly<Record<Name, number[]>>> {
  const names = Object.keys(ways) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round < rounds; round++) {
    const turned = [...names.slice(round % names.length), ...names.slice(0, round % names.length)];
    for (const name of turned) samples[name].push(...(await ways[name]()));
  }
  return samples;
}

/** Runs `call` several times in sequence; one sample each. */
export async function repeated(times: number, call: () => Promise<unknown>): Promise<Samples> {
  const samples: number[] = [];
  for (let at = 0; at < times; at++) samples.push(await timed(call));
  return samples;
}
