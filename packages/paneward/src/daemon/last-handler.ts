import type { Log } from "../runtime/ports.ts";

/** The part of a process that is needed here. */
export interface Failing {
  on(event: "uncaughtException" | "unhandledRejection", listener: (error: unknown) => void): unknown;
  off(event: "uncaughtException" | "unhandledRejection", listener: (error: unknown) => void): unknown;
}

/**
 * Logs an error that nothing caught, and lets the daemon continue to run: one wrong request must not end what all others
 * depend on. The same error is logged the first, the tenth, the hundredth time, so that a timer cannot fill the log.
 */
export function survive(failing: Failing, log: Log): { stop(): void } {
  const seen = new Map<string, number>();
  const report = (error: unknown) => {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    const place = (stack ?? message).split("\n").slice(0, 3).join("\n").slice(0, 1_000);
    const times = (seen.get(place) ?? 0) + 1;
    if (seen.size > maxSeen) seen.clear();
    seen.set(place, times);
    if (Number.isInteger(Math.log10(times)))
      log.error("nothing caught an error; the daemon continues", { message, stack, times });
  };
  failing.on("uncaughtException", report);
  failing.on("unhandledRejection", report);
  return {
    stop() {
      failing.off("uncaughtException", report);
      failing.off("unhandledRejection", report);
    },
  };
}

const maxSeen = 1_000;
