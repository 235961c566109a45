import type { Clock, Log } from "../runtime/ports.ts";
import { within } from "../runtime/within.ts";

export type StopStep = () => void | Promise<void>;

/** Runs the steps of a shutdown in order. After a step that fails or takes too long, which is logged, the next one runs. */
export async function runStopSteps(
  steps: readonly StopStep[],
  { clock, log }: { readonly clock: Pick<Clock, "timer">; readonly log: Log },
): Promise<void> {
  for (const step of steps) {
    try {
      const isDone = await within(clock, Promise.resolve(step()), maxStepMs);
      if (!isDone) log.error("a step of stopping takes too long", { step: String(step) });
    } catch (error) {
      log.error("a step of stopping failed", { error: String(error) });
    }
  }
}

const maxStepMs = 10_000;
