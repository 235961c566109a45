import type { OperationName, Output, Parsed } from "@paneward/sdk";
import type { Caller } from "./world.ts";

/** One function per row of the operation table. Doors parse the input and check the scope; handlers trust both. */
export type Handlers = {
  readonly [Name in OperationName]: (input: Parsed<Name>, caller: Caller) => Promise<Output<Name>>;
};
