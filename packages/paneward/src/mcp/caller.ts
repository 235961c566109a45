import { createClient, fetchTransport, type Scope } from "@paneward/sdk";
import { type CallInside, insideClient, type ToolClient } from "./tool-client.ts";

/** A caller over HTTP, with a way to call the daemon under its rights. */
export interface McpCaller {
  readonly who: string;
  readonly scope: Scope;
  readonly ask: (request: Request) => Promise<Response>;
  readonly call: CallInside;
  /** Ends the connection of a client that does not read its answer. */
  readonly cut: () => void;
  /** Calls back as soon as the caller loses its rights. Returns a function that ends this. */
  readonly onRevoked: (end: () => void) => () => void;
}

export function clientOf({ ask, call }: McpCaller): ToolClient {
  const requests = createClient(fetchTransport("http://inside", undefined, (url, init) => ask(new Request(url, init))));
  return insideClient(call, requests);
}
