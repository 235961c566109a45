import type { Clock } from "./ports.ts";

/** Waits for a promise, but no longer than this. False when the time was up first. */
export function within(clock: Pick<Clock, "timer">, promise: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const cancel = clock.timer(ms, () => resolve(false));
    promise.then(
      () => {
        cancel();
        resolve(true);
      },
      (error: unknown) => {
        cancel();
        reject(error);
      },
    );
  });
}
