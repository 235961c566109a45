import type { OperationName, Output, Parsed, Scope } from "@paneward/sdk";

/** The caller of an operation: name, rights, and the door it came through. */
export interface Caller {
  readonly who: string;
  /** The name of the browser or device, if it is one. */
  readonly device?: string;
  readonly scope: Scope;
  readonly door: string;
  /** Aborted when the caller disconnects: the answer is no longer needed. */
  readonly signal?: AbortSignal;
}

/** A caller as people know it; the name was given by others, so the id stays beside it. */
export function callerWords({ who, device }: Pick<Caller, "who" | "device">): string {
  return device === undefined ? who : `${device} (${who})`;
}

/** One function per row of the operation table. Doors parse the input and check the scope; handlers trust both. */
export type Handlers = {
  readonly [Name in OperationName]: (input: Parsed<Name>, caller: Caller) => Promise<Output<Name>>;
};
