import type { OperationName } from "@paneward/sdk";
import { operations } from "@paneward/sdk/operations";
import { withoutSecrets } from "../../runtime/access/tokens.ts";
import type { Caller } from "../../runtime/calls.ts";
import type { Log, Store, WallClock } from "../../runtime/ports.ts";

export interface Audited {
  readonly operation: OperationName;
  readonly caller: Caller;
  readonly subject: string;
  readonly outcome: string;
}

/** Whether an operation changes something, so that it is worth knowing who did it. */
export function isWriting(name: OperationName): boolean {
  const { scope, method } = operations[name];
  return scope !== "read" && method !== "get";
}

/** Who did what to which thing, through which door; never what was typed, and no secret. */
export function createAudit(store: Pick<Store, "write">, clock: WallClock, log: Log): (audited: Audited) => void {
  return ({ operation, caller, subject, outcome }) => {
    const { who, door } = caller;
    const record = { at: clock.now(), who, door, operation, subject: withoutSecrets(subject), outcome };
    try {
      store.write((writer) => writer.audit(record));
    } catch (error) {
      // It has happened and the caller must be told so; the log keeps what the database could not.
      log.error("an audit record could not be kept", { ...record, message: (error as Error).message });
    }
  };
}

/** What an operation was done to: the id it was given, else the id of what it made. */
export function subjectOf(input: unknown, output: unknown): string {
  return idIn(input) ?? idIn(output) ?? idIn(field(output, "task")) ?? "";
}

function idIn(value: unknown): string | undefined {
  const id = field(value, "id");
  return typeof id === "string" || typeof id === "number" ? String(id) : undefined;
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
