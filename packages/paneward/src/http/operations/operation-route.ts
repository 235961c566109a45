import type { OperationName } from "@paneward/sdk";
import { bodyLimit, type Limits } from "../access/limits.ts";
import type { HttpContext } from "../env.ts";
import { readInput } from "./input.ts";
import { isQueued, type Perform, requireScope } from "./perform.ts";

/** The route of one operation: reads path, query and body, and performs it. */
export function operationRoute(
  name: OperationName,
  perform: Perform,
  limits: Limits,
): (c: HttpContext) => Promise<Response> {
  return async (c) => {
    const caller = c.get("caller");
    requireScope(caller, name);
    const input = await readInput(c, name, bodyLimit(limits, name));
    const output = await perform(name, input, { ...caller, signal: c.req.raw.signal });
    return c.json(output, isQueued(name, output) ? 202 : 200);
  };
}
