import { restingCpuMs } from "../timing.ts";
/** The CPU time of a terminal's processes so far, and since when they use none. */
export interface CpuUse {
  readonly usedMs: number;
  readonly at: number;
  readonly idleSince?: number;
}

/** Adds a new measurement. A program that waits still wakes from time to time, so a small share counts as idle. */
export function lookedAtCpu(before: CpuUse | undefined, usedMs: number, at: number): CpuUse {
  if (!before) return { usedMs, at };
  const used = usedMs - before.usedMs;
  // Less than before: one of the processes ended. That does not mean that the others are idle.
  const idle = used >= 0 && used <= Math.max(restingCpuMs, (at - before.at) * restingShare);
  return { usedMs, at, ...(idle ? { idleSince: before.idleSince ?? before.at } : {}) };
}

const restingShare = 0.01;
