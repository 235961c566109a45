import { allows, type OperationName, PanewardError } from "@paneward/sdk";
import { operations } from "@paneward/sdk/operations";
import type { Handlers } from "../runtime/handlers.ts";
import type { Caller } from "../runtime/runtime.ts";
import { type Audited, isWriting, subjectOf } from "./audit.ts";
import type { HttpContext } from "./env.ts";
import { readInput } from "./input.ts";
import { bodyLimit, type Limits } from "./limits.ts";

export interface OperationRouteOptions {
  readonly handlers: Handlers;
  readonly limits: Limits;
  readonly audit: (audited: Audited) => void;
}

/** Answers one row of the operation table: scope, input, handler, audit, output. */
export function operationRoute(
  name: OperationName,
  { handlers, limits, audit }: OperationRouteOptions,
): (c: HttpContext) => Promise<Response> {
  // The table ties each name to its handler's types; a loop over the names cannot.
  const handler = handlers[name] as (input: object, caller: Caller) => Promise<unknown>;
  const told = (c: HttpContext, input: object, output: unknown, outcome: string) => {
    if (!isWriting(name)) return;
    audit({ operation: name, caller: c.get("caller"), subject: subjectOf(input, output), outcome });
  };
  return async (c) => {
    const caller = c.get("caller");
    requireScope(caller, name);
    const input = await readInput(c, name, bodyLimit(limits, name));
    const output = await handler(input, { ...caller, signal: c.req.raw.signal }).catch((error: unknown) => {
      told(c, input, undefined, error instanceof PanewardError ? error.code : "unexpected");
      throw error;
    });
    told(c, input, output, "ok");
    return c.json(operations[name].output.parse(output), isQueued(name, output) ? 202 : 200);
  };
}

// An answer that the courier holds was accepted, and is not given yet.
function isQueued(name: OperationName, output: unknown): boolean {
  return name === "respond" && (output as { readonly status: string }).status === "queued";
}

function requireScope(caller: Caller, name: OperationName): void {
  const { scope } = operations[name];
  if (allows(caller.scope, scope)) return;
  throw new PanewardError("not_allowed", `${name} needs the scope ${scope}; this caller has ${caller.scope}`, {
    hint: `create a wider token: \`paneward token create --scope ${scope}\``,
  });
}
