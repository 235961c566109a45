import type { OperationName } from "@paneward/sdk";
import { answerText } from "../access/gates.ts";
import { bodyLimit, type Limits } from "../access/limits.ts";
import { reserveRoom, type Shares } from "../access/shares.ts";
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
    const room = c.env.via.kind === "tcp" ? reserveRoom(shares, caller.who, name, input) : undefined;
    const output = await perform(name, input, { ...caller, signal: c.req.raw.signal }).catch((error: unknown) => {
      room?.();
      throw error;
    });
    const text = answerText(c, shares, JSON.stringify(output), room);
    return c.body(text, isQueued(name, output) ? 202 : 200, { "content-type": "application/json" });
  };
}
