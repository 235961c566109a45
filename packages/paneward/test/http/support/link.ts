import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import type { Socket } from "node:net";
import type { ErrorBody } from "@paneward/sdk";
import { afterwards, type Cleanup } from "../../support/folder.ts";
import { until } from "../../support/until.ts";
import { type Address, ask, type RawResponse, sent } from "./ask.ts";

export interface LinkMessage extends Partial<ErrorBody> {
  readonly id?: number;
  readonly output?: unknown;
}

/** A call link with messages written by a test. */
export interface RawLink {
  readonly socket: Socket;
  readonly received: readonly LinkMessage[];
  readonly isClosed: () => boolean;
  send(...messages: readonly unknown[]): void;
  /** The answer with this id. */
  answer(id: number): Promise<LinkMessage>;
}

const upgrade = { connection: "Upgrade", upgrade: "paneward-calls" };

export async function openRawLink(
  t: Cleanup,
  address: Address,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawLink> {
  const where = typeof address === "string" ? { socketPath: address } : { host: "127.0.0.1", port: address };
  const outgoing = request({
    ...where,
    path: "/api/calls",
    headers: sent(address, { ...upgrade, ...headers }),
    agent: false,
  });
  outgoing.end();
  const [, socket] = (await once(outgoing, "upgrade")) as [IncomingMessage, Socket];
  afterwards(t, () => void socket.destroy());
  const received: LinkMessage[] = [];
  let isClosed = false;
  let rest = "";
  socket.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split("\n");
    rest = lines.pop() ?? "";
    received.push(...lines.map((line) => JSON.parse(line) as LinkMessage));
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    isClosed = true;
  });
  return {
    socket,
    received,
    isClosed: () => isClosed,
    send: (...messages) => void socket.write(messages.map((message) => `${JSON.stringify(message)}\n`).join("")),
    answer: (id) => until(`the call ${id} is answered`, () => received.find((one) => one.id === id)),
  };
}

/** The refusal of a call link. */
export function refusedLink(
  address: Address,
  headers: Readonly<Record<string, string>>,
  path = "/api/calls",
): Promise<RawResponse> {
  return ask(address, { path, headers: { ...upgrade, ...headers } });
}
