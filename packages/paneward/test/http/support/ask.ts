import assert from "node:assert/strict";
import { type IncomingHttpHeaders, type IncomingMessage, type RequestOptions, request } from "node:http";
import { type ErrorBody, errorTable } from "@paneward/sdk";
import { direct } from "../../support/direct.ts";

export interface RawRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A socket's path, or a port on loopback. */
export type Address = string | number;

/** One plain HTTP request on a connection of its own. */
export async function ask(address: Address, question: RawRequest): Promise<RawResponse> {
  const answer = await open(address, question);
  answer.setEncoding("utf8");
  let text = "";
  for await (const chunk of answer) text += chunk;
  return { status: answer.statusCode ?? 0, headers: answer.headers, text };
}

export function open(
  address: Address,
  { method = "GET", path, headers = {}, body }: RawRequest,
): Promise<IncomingMessage> {
  const where: RequestOptions =
    typeof address === "string" ? { socketPath: address } : { host: "127.0.0.1", port: address };
  return new Promise((resolve, reject) => {
    // Node's client sends no length with the body of a GET, so that the server would take it for the next request.
    const length: Record<string, string> =
      body && !("transfer-encoding" in headers) ? { "content-length": String(Buffer.byteLength(body)) } : {};
    const outgoing = request(
      { ...where, method, path, headers: sent(address, { ...length, ...headers }), agent: false },
      resolve,
    );
    outgoing.on("error", reject);
    // Node 22 leaves a socket whose answer came without a listener: it may end before a long body is written.
    outgoing.on("socket", (socket) => socket.on("error", reject));
    outgoing.end(body);
  });
}

/** On the Unix socket, what shows that a request comes directly is added. */
export function sent(address: Address, headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return typeof address === "string" ? direct(headers) : headers;
}

export function json(method: string, path: string, body: unknown): RawRequest {
  return { method, path, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

/** The failure in a response, which must have our shape and the status of its code. */
export function failureIn({ status, text }: RawResponse): ErrorBody["error"] {
  const { error } = JSON.parse(text) as ErrorBody;
  assert.deepEqual(Object.keys(error), ["code", "message", "hint", "retry"]);
  assert.equal(errorTable[error.code].status, status, text);
  assert.ok(error.message.length > 0 && error.hint.length > 0);
  return error;
}
