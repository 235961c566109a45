import type { Clock } from "../runtime/ports.ts";

/** The machine's clock. A timer that is still waiting does not keep the process alive; a sleep does. */
export function systemClock(): Clock {
  const began = Date.now() - performance.now();
  return {
    now: () => Date.now(),
    monotonic: () => began + performance.now(),
    sleep,
    timer(ms, callback) {
      const timer = setTimeout(callback, ms).unref();
      return () => clearTimeout(timer);
    },
    interval(ms, callback) {
      const timer = setInterval(callback, ms).unref();
      return () => clearInterval(timer);
    },
  };
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done);
  });
}
