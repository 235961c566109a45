import { allows, type OperationName, PanewardError, systemFailure, wellFormed } from "@paneward/sdk";
import { operations } from "@paneward/sdk/operations";
import type { Caller, Handlers } from "../../runtime/calls.ts";
import { type Audit, isWriting, subjectOf } from "../access/audit.ts";

export interface PerformOptions {
  readonly handlers: Handlers;
  readonly audit: Audit;
}

/** Performs an operation for any door: calls its handler, audits, and checks the output against the table. */
export type Perform = (name: OperationName, input: object, caller: Caller) => Promise<object>;

export function createPerform({ handlers, audit }: PerformOptions): Perform {
  return async (name, input, caller) => {
    // The name comes from a request, so TypeScript cannot connect it with its handler's types.
    const handler = handlers[name] as (input: object, caller: Caller) => Promise<unknown>;
    const isAudited = isWriting(name);
    const auditCall = async (output: unknown, outcome: string) => {
      if (isAudited) await audit({ operation: name, caller, subject: subjectOf(input, output), outcome });
    };
    const output = await handler(input, caller).catch(async (thrown: unknown) => {
      const error = pathTooLong(thrown) ?? systemFailure(thrown) ?? thrown;
      await auditCall(undefined, error instanceof PanewardError ? error.code : "unexpected");
      throw error instanceof PanewardError ? withId(error, input) : error;
    });
    if (isAudited) await auditCall(output, "ok");
    // What is shown of texts that others wrote may have been cut, or come from JSON.
    return wellFormed(operations[name].output.parse(output));
  };
}

/** Only a path that a caller gave can be longer than the system allows. */
function pathTooLong(error: unknown): PanewardError | undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== "ENAMETOOLONG") return undefined;
  return new PanewardError("bad_input", "a path, or a name in it, is longer than this system allows", { cause: error });
}

/** A hint such as `paneward screen ID` gets the id that the caller gave. */
function withId(error: PanewardError, input: object): PanewardError {
  const id: unknown = Reflect.get(input, "id");
  if (typeof id !== "string" || !/^[\w.:%@-]+$/.test(id)) return error;
  const hint = error.hint.replaceAll(/(`paneward [a-z]+ )ID\b/g, (_, command: string) => command + id);
  if (hint === error.hint) return error;
  const { code, message, errorType } = error;
  return new PanewardError(code, message, { hint, cause: error, ...(errorType === undefined ? {} : { errorType }) });
}

// The courier has accepted the answer but not typed it yet.
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
