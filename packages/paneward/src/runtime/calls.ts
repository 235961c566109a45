import type { OperationName, Output, Parsed, Scope } from "@paneward/sdk";

/** The caller of an operation: name, rights, and the door it came through. */
export interface Caller {
  readonly who: string;
  readonly scope: Scope;
  readonly door: string;
  /** Aborted when the caller disconnects: the answer is no longer needed. */
  readonly signal?: AbortSignal;
}

/** One function per row of the operation table. Doors parse the input and check the scope; handlers trust both. */
export type Handlers = {
  readonly [Name in OperationName]: (input: Parsed<Name>, caller: Caller) => Promise<Output<Name>>;
};
