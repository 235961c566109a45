import { burstMs, maxSilentAfterMs, silentAfterMs } from "../timing.ts";

/** How a program prints: bursts, and the gaps between them. */
export interface Pace {
  readonly lastAt: number | undefined;
  /** The newest gaps, oldest first. */
  readonly gaps: readonly number[];
}

export const noPace: Pace = { lastAt: undefined, gaps: [] };

/** The program printed something. */
export function printed(pace: Pace, now: number): Pace {
  const gap = pace.lastAt === undefined ? 0 : now - pace.lastAt;
  if (gap < burstMs) return { ...pace, lastAt: now };
  // After a longer rest an older rhythm says nothing about the next one.
  if (gap > maxGapMs) return { lastAt: now, gaps: [] };
  return { lastAt: now, gaps: [...pace.gaps, gap].slice(-gapsKept) };
}

/** How long it must be silent to count as idle: a second, or longer for one that prints in a slow rhythm. */
export function silentAfter({ gaps }: Pace): number {
  const usual = [...gaps].sort((one, other) => one - other)[Math.floor(gaps.length / 2)] ?? 0;
  return Math.min(maxSilentAfterMs, Math.max(silentAfterMs, Math.round(usual * gapsPatience)));
}

/** So many times its usual gap a program may be silent. */
const gapsPatience = 2.5;
const maxGapMs = maxSilentAfterMs / gapsPatience;
const gapsKept = 4;
