import { interrupt } from "../answering/interrupt.ts";
import { respond } from "../answering/respond.ts";
import type { Courier } from "../courier/courier.ts";
import type { Handlers } from "../handlers.ts";
import type { Runtime } from "../world.ts";

/** Answers to questions, and the end of a turn. */
export function answerOperations(rt: Runtime, courier: Courier) {
  return {
    respond: (input, caller) => respond(rt, courier, input, caller),
    interrupt: ({ id }, caller) => interrupt(rt, courier, id, caller),
  } satisfies Partial<Handlers>;
}
