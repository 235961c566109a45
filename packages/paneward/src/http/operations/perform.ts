import { allows, type OperationName, PanewardError } from "@paneward/sdk";
import { operations } from "@paneward/sdk/operations";
import type { Caller, Handlers } from "../../runtime/calls.ts";
import { type Audited, isWriting, subjectOf } from "../access/audit.ts";

export interface PerformOptions {
  readonly handlers: Handlers;
  readonly audit: (audited: Audited) => void;
}

/** One row of the operation table, however it was asked for: its handler, the audit, an output that fits the table. */
export type Perform = (name: OperationName, input: object, caller: Caller) => Promise<object>;

export function createPerform({ handlers, audit }: PerformOptions): Perform {
  return async (name, input, caller) => {
    // The table ties each name to its handler's types; a name that comes over the wire cannot.
    const handler = handlers[name] as (input: object, caller: Caller) => Promise<unknown>;
    const told = (output: unknown, outcome: string) => {
      if (isWriting(name)) audit({ operation: name, caller, subject: subjectOf(input, output), outcome });
    };
    const output = await handler(input, caller).catch((error: unknown) => {
      told(undefined, error instanceof PanewardError ? error.code : "unexpected");
      throw error;
    });
    told(output, "ok");
    return operations[name].output.parse(output);
  };
}

// An answer that the courier holds was accepted, and is not given yet.
export function isQueued(name: OperationName, output: object): boolean {
  return name === "respond" && Reflect.get(output, "status") === "queued";
}

export function requireScope(caller: Caller, name: OperationName): void {
  const { scope } = operations[name];
  if (allows(caller.scope, scope)) return;
  throw new PanewardError("not_allowed", `${name} needs the scope ${scope}; this caller has ${caller.scope}`, {
    hint: `create a wider token: \`paneward token create --scope ${scope}\``,
  });
}
