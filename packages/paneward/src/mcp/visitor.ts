import { type Client, createClient, fetchTransport, type Scope } from "@paneward/sdk";

/** Who calls over HTTP, and the way to ask the daemon with no more rights than they have. */
export interface Visitor {
  readonly who: string;
  readonly scope: Scope;
  readonly ask: (request: Request) => Promise<Response>;
}

export function clientOf({ ask }: Visitor): Client {
  return createClient(fetchTransport("http://inside", undefined, (url, init) => ask(new Request(url, init))));
}
