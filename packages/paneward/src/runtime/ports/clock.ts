/**
 * Time. Every deadline is in monotonic time; wall time is only for what people read, and for comparing with dates that
 * others wrote.
 */
export interface Clock {
  /** Wall time in milliseconds since 1970. It jumps when the machine's clock is set. */
  now(): number;
  /** Milliseconds that only grow. Begins at the wall time of the daemon's start, so that stored dates compare with it. */
  monotonic(): number;
  /** Resolves after so many milliseconds, or as soon as the signal aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back once. Does not keep the process alive. */
  timer(ms: number, callback: () => void): Cancel;
  /** Calls back again and again. Does not keep the process alive. */
  interval(ms: number, callback: () => void): Cancel;
}

/** Wall time alone, for what only dates things. */
export type WallClock = Pick<Clock, "now">;

/** Ends a timer; harmless when it has fired or was cancelled before. */
export type Cancel = () => void;
