import { type InterruptDeps, interrupt } from "../answering/interrupt.ts";
import type { AnsweringDeps } from "../answering/record-answer.ts";
import { respond } from "../answering/respond.ts";
import type { Handlers } from "../calls.ts";

/** Answers to questions, and the end of a turn. */
export function answerOperations(deps: AnsweringDeps & InterruptDeps) {
  return {
    respond: (input, caller) => respond(deps, input, caller),
    interrupt: ({ id }, caller) => interrupt(deps, id, caller),
  } satisfies Partial<Handlers>;
}
