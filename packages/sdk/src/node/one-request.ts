import type { Socket } from "node:net";

/** A request that is answered as a whole, on a connection of its own. */
export interface OneRequest {
  readonly socketPath: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Holds its connection until that is closed. */
  readonly open?: Set<Socket> | undefined;
}

export interface WholeAnswer {
  readonly status: number;
  /** By names in small letters. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

/**
 * Asks over a Unix socket without node:http, whose client takes as long to load as the rest of a short command. The server ends
 * the connection after its answer; undefined: it ended it before the answer was whole.
 */
export function askOnce(request: OneRequest): Promise<WholeAnswer | undefined> {
  const { connect } = process.getBuiltinModule("node:net");
  return new Promise((resolve, reject) => {
    const { signal } = request;
    if (signal?.aborted) return reject(aborted());
    const socket = connect(request.socketPath);
    request.open?.add(socket);
    const abort = () => socket.destroy(aborted());
    signal?.addEventListener("abort", abort);
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(Buffer.from(chunk)));
    socket.once("error", reject);
    socket.once("close", () => {
      signal?.removeEventListener("abort", abort);
      request.open?.delete(socket);
      resolve(readWhole(Buffer.concat(chunks)));
    });
    send(socket, request);
  });
}

function send(socket: Socket, { method, path, headers, body }: OneRequest): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body ?? ""}`);
}

function aborted(): Error {
  return Object.assign(new Error("The operation was aborted"), { name: "AbortError", code: "ABORT_ERR" });
}

/** One whole response of HTTP/1.1; undefined if any of it is missing, or if it is something else. */
export function readWhole(bytes: Buffer): WholeAnswer | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const [first = "", ...lines] = bytes.toString("latin1", 0, end).split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3})(?: |$)/.exec(first)?.[1]);
  const headers = new Map(lines.map(headerOf));
  const rest = bytes.subarray(end + 4);
  const body = headers.get("transfer-encoding") === "chunked" ? joined(rest) : cut(rest, headers.get("content-length"));
  return status && body ? { status, headers, text: body.toString("utf8") } : undefined;
}

function headerOf(line: string): readonly [string, string] {
  const at = line.indexOf(":");
  return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
}

function cut(rest: Buffer, length: string | undefined): Buffer | undefined {
  return length !== undefined && /^\d+$/.test(length) && rest.length === Number(length) ? rest : undefined;
}

function joined(rest: Buffer): Buffer | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = rest.indexOf("\r\n", at);
    const [, digits] = /^([\da-f]{1,8})(?:;|$)/i.exec(line < 0 ? "" : rest.toString("latin1", at, line)) ?? [];
    if (digits === undefined) return undefined;
    const begin = line + 2;
    const size = Number.parseInt(digits, 16);
    if (rest.length < begin + size + 2) return undefined;
    if (size === 0) return Buffer.concat(parts);
    parts.push(rest.subarray(begin, begin + size));
    at = begin + size + 2;
  }
}
