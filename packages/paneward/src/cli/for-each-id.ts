import type { Call } from "./command.ts";
import { type Failure, failureOf, printFailure } from "./failure.ts";

/** Runs `work` for each id in turn. A failure is printed at once and does not stop the rest. */
export async function forEachId(call: Call, work: (id: string) => Promise<void>): Promise<number> {
  let first: Failure | undefined;
  for (const id of call.args) {
    try {
      await work(id);
    } catch (error) {
      const failure = failureOf(error);
      printFailure(failure, call.out.note);
      first ??= failure;
    }
  }
  return first?.exitCode ?? 0;
}
