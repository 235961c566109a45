import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterwards, type Cleanup } from "../../support/folder.ts";

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export type Answer = (received: Received, response: ServerResponse) => void | Promise<void>;

/** An HTTP server on loopback that records what it gets and answers as a test says. */
export async function startSink(t: Cleanup, answer: Answer) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void read(request).then(async (one) => {
      received.push(one);
      await answer(one, response);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  afterwards(t, () => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, received };
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

async function read(request: IncomingMessage): Promise<Received> {
  let text = "";
  for await (const piece of request.setEncoding("utf8")) text += piece;
  return {
    ...{ method: request.method ?? "", path: request.url ?? "", text },
    headers: request.headers as Received["headers"],
    body: parsed(text),
  };
}

function parsed(text: string): Received["body"] {
  try {
    return JSON.parse(text) as Received["body"];
  } catch {
    return Object.fromEntries(new URLSearchParams(text));
  }
}
