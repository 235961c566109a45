import type { OperationName } from "@paneward/sdk";
import { answerText } from "../access/gates.ts";
import { bodyLimit, type Limits } from "../access/limits.ts";
import { requireRoom, type Shares } from "../access/shares.ts";
import type { HttpContext } from "../env.ts";
import { readInput } from "./input.ts";
import { isQueued, type Perform, requireScope } from "./perform.ts";

/** The route of one operation: reads path, query and body, and performs it. */
export function operationRoute(
  name: OperationName,
  perform: Perform,
  limits: Limits,
  shares: Shares,
): (c: HttpContext) => Promise<Response> {
  return async (c) => {
    const caller = c.get("caller");
    requireScope(caller, name);
    const input = await readInput(c, name, bodyLimit(limits, name));
    if (c.env.via.kind === "tcp") requireRoom(shares, caller.who, name, input);
    const output = await perform(name, input, { ...caller, signal: c.req.raw.signal });
    const text = answerText(c, shares, JSON.stringify(output));
    return c.body(text, isQueued(name, output) ? 202 : 200, { "content-type": "application/json" });
  };
}
