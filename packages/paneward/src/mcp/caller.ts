import { type Client, createClient, fetchTransport, type Scope } from "@paneward/sdk";

/** A caller over HTTP, with a way to call the daemon under its rights. */
export interface McpCaller {
  readonly who: string;
  readonly scope: Scope;
  readonly ask: (request: Request) => Promise<Response>;
}

export function clientOf({ ask }: McpCaller): Client {
  return createClient(fetchTransport("http://inside", undefined, (url, init) => ask(new Request(url, init))));
}
