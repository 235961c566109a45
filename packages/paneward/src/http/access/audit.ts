import type { OperationName } from "@paneward/sdk";
import { operations } from "@paneward/sdk/operations";
import { withoutSecrets } from "../../runtime/access/tokens.ts";
import type { Caller } from "../../runtime/calls.ts";
import type { Log, Store, WallClock } from "../../runtime/ports.ts";

export interface AuditedCall {
  readonly operation: OperationName;
  readonly caller: Caller;
  readonly subject: string;
  readonly outcome: string;
}

/** Whether an operation changes something, and is therefore audited. */
export function isWriting(name: OperationName): boolean {
  const { scope, method } = operations[name];
  return scope !== "read" && method !== "get";
}

/** Records caller, door, operation and subject; never typed text or secrets. */
export function createAudit(store: Pick<Store, "keep">, clock: WallClock, log: Log): (audited: AuditedCall) => void {
  return ({ operation, caller, subject, outcome }) => {
    const { who, device, door } = caller;
    const by = device === undefined ? { who } : { who, device };
    const record = { at: clock.now(), ...by, door, operation, subject: withoutSecrets(subject), outcome };
    try {
      store.keep((writer) => writer.audit(record));
    } catch (error) {
      // The operation has happened, so the caller gets its result; the log keeps the record instead.
      log.error("an audit record could not be stored", { ...record, message: (error as Error).message });
    }
  };
}

/** The subject of an operation: the id in its input, else the id of what it created. */
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
