/** What the processes of a terminal have used so far, and since when they use nothing. */
export interface CpuUse {
  readonly usedMs: number;
  readonly at: number;
  readonly idleSince?: number;
}

/** A look at what they have used. A program that merely waits still wakes now and then. */
export function lookedAtCpu(before: CpuUse | undefined, usedMs: number, at: number): CpuUse {
  if (!before) return { usedMs, at };
  const used = usedMs - before.usedMs;
  // Less than before: one of them ended, and whatever ended it is no rest.
  const idle = used >= 0 && used <= Math.max(minMs, (at - before.at) * restingShare);
  return { usedMs, at, ...(idle ? { idleSince: before.idleSince ?? before.at } : {}) };
}

/** The kernel counts in steps of 10 ms. */
const minMs = 20;
const restingShare = 0.01;
