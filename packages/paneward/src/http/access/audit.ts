import type { OperationName } from "@paneward/sdk";
import { operations } from "@paneward/sdk/operations";
import { withoutSecrets } from "../../runtime/access/tokens.ts";
import type { Caller } from "../../runtime/calls.ts";
import { grouped } from "../../runtime/grouped.ts";
import type { Log, Store, WallClock, Writer } from "../../runtime/ports.ts";

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

/** Resolves when the record is stored. Never rejects. */
export type Audit = (audited: AuditedCall) => Promise<void>;

/** Records caller, door, operation and subject; never typed text or secrets. */
export function createAudit(store: Pick<Store, "keep">, clock: WallClock, log: Log): Audit {
  const keep = grouped((records: readonly Parameters<Writer["audit"]>[0][]) => {
    try {
      store.keep((writer) => {
        for (const record of records) writer.audit(record);
      });
    } catch (error) {
      // The operations have happened, so the callers get their results; the log keeps the records instead.
      const { message } = error as Error;
      for (const record of records) log.error("an audit record could not be stored", { ...record, message });
    }
    return [];
  });
  return ({ operation, caller, subject, outcome }) => {
    const { who, device, door } = caller;
    const by = device === undefined ? { who } : { who, device };
    return keep({ at: clock.now(), ...by, door, operation, subject: withoutSecrets(subject), outcome });
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
