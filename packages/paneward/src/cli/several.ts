import type { Call } from "./command.ts";
import { type Failure, failureOf, printFailure } from "./failure.ts";

/** Does the same for several ids, one after the other. A failure is told at once and does not stop the others. */
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
