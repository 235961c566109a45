import type { Log } from "../runtime/ports.ts";

export type StopStep = () => void | Promise<void>;

/** Runs the steps of a shutdown in order. A step that fails is logged, and the next one runs. */
export async function runStopSteps(steps: readonly StopStep[], log: Log): Promise<void> {
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      log.error("a step of stopping failed", { error: String(error) });
    }
  }
}
