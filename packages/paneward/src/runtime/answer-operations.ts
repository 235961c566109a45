import type { Courier } from "./courier.ts";
import type { Handlers } from "./handlers.ts";
import { respond } from "./respond.ts";
import type { Runtime } from "./runtime.ts";

/** Answers to questions. */
export function answerOperations(rt: Runtime, courier: Courier) {
  return { respond: (input, caller) => respond(rt, courier, input, caller) } satisfies Partial<Handlers>;
}
