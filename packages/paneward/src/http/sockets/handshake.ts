import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { PanewardError } from "@paneward/sdk";
import type { RequestFacts } from "../access/authenticate.ts";
import type { Via } from "../env.ts";

/** The facts of a request that upgrades its connection to another protocol. */
export function factsOf(request: IncomingMessage, via: Via): RequestFacts {
  return { via, header: (name) => headerOf(request, name) };
}

export function refuse(socket: Duplex, failure: PanewardError): void {
  const body = JSON.stringify(failure.toBody());
  const { status } = failure.row;
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "connection: close",
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  // A client that does not close its side would hold the connection for ever.
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => setTimeout(() => socket.destroy(), closeMs).unref());
}

const closeMs = 500;

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}
