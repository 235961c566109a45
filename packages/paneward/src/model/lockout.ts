/** How often somebody was wrong, and until when nothing of them is looked at. In monotonic time. */
export interface Wrongs {
  readonly count: number;
  readonly lockedUntil: number;
}

/** Typing errors are free; after that each wrong try costs twice the pause of the one before. */
const freeTries = 5;
const firstPauseMs = 30_000;
const maxPauseMs = 3_600_000;
/** So long after the last pause, it is as if nothing had happened. */
const forgetMs = 3_600_000;

export function afterWrong(before: Wrongs | undefined, now: number): Wrongs {
  const count = (before && !isForgotten(before, now) ? before.count : 0) + 1;
  const pause = count < freeTries ? 0 : Math.min(maxPauseMs, firstPauseMs * 2 ** (count - freeTries));
  return { count, lockedUntil: now + pause };
}

/** For how long no try is looked at; 0 if the next one is. */
export function lockedForMs(wrongs: Wrongs | undefined, now: number): number {
  return Math.max(0, (wrongs?.lockedUntil ?? 0) - now);
}

export function isForgotten({ lockedUntil }: Wrongs, now: number): boolean {
  return now - lockedUntil >= forgetMs;
}
