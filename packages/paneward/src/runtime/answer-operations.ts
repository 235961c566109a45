import type { Courier } from "./courier.ts";
import type { Handlers } from "./handlers.ts";
import { interrupt } from "./interrupt.ts";
import { respond } from "./respond.ts";
import type { Runtime } from "./runtime.ts";

/** Answers to questions, and the end of a turn. */
export function answerOperations(rt: Runtime, courier: Courier) {
  return {
    respond: (input, caller) => respond(rt, courier, input, caller),
    interrupt: ({ id }, caller) => interrupt(rt, courier, id, caller),
  } satisfies Partial<Handlers>;
}
