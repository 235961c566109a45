import type { IncomingMessage, RequestOptions } from "node:http";
import type { Socket } from "node:net";
import type { ClientTransport } from "../client.ts";
import { directHeaders } from "../direct.ts";
import { PanewardError } from "../errors.ts";
import { askOnce } from "./one-request.ts";
import { checkOwnSocket, checkSocketPath } from "./own-folder.ts";

/**
 * Reaches the daemon over its Unix socket. `door` names the caller in the audit log; each response has the daemon's
 * version.
 */
export function unixTransport(
  socketPath: string,
  door: string,
  onVersion?: (version: string) => void,
): ClientTransport & { close(): void } {
  const headers = { ...directHeaders, "x-paneward-door": door };
  const failed = (cause: Error) => notReached(socketPath, cause);
  const connection = `close, ${directHeaders.connection}`;
  const open = new Set<Socket>();
  return {
    async request(method, path, body, signal) {
      checkSocket(socketPath);
      const sent = { ...headers, connection, ...(body === undefined ? {} : jsonHeaders(body)) };
      const asking = askOnce({ socketPath, method, path, headers: sent, body, signal, open });
      const answer = await asking.catch((cause: Error) => Promise.reject(failed(cause)));
      if (!answer) throw cutOff();
      const version = answer.headers.get("x-paneward-version");
      if (version !== undefined) onVersion?.(version);
      return answer;
    },
    stream(path, signal) {
      const before = () => checkSocket(socketPath);
      return requestTransport({
        target: { socketPath, agent: false, ...withoutServerName },
        headers,
        before,
        onVersion,
        failed,
      }).stream(path, signal);
    },
    // What a daemon that stands still has not answered keeps no process from its end.
    close: () => {
      for (const socket of open) socket.unref();
    },
  };
}

// Node would make one out of the host for TLS, which a socket does not use, by a pattern that takes milliseconds to compile.
const withoutServerName = { servername: "" };

/** Refuses a socket that cannot be, or at which another user could be listening. */
export function checkSocket(path: string): void {
  checkSocketPath(path);
  checkOwnSocket(path);
}

/** The error for a daemon that cannot be reached or did not answer. */
export function notReached(socketPath: string, cause: Error): PanewardError {
  const code = (cause as NodeJS.ErrnoException).code;
  if (code === "ENOENT" || code === "ECONNREFUSED") {
    return new PanewardError("unavailable", `no daemon listens on ${socketPath}`, {
      hint: "start it with `paneward daemon start`",
      cause,
    });
  }
  // Without a connection nothing was sent.
  if ((cause as NodeJS.ErrnoException).syscall === "connect") {
    return new PanewardError("unavailable", `the daemon cannot be reached: ${cause.message}; nothing was sent`, {
      hint: "`paneward doctor` looks at the socket, its folder and their permissions",
      cause,
    });
  }
  return new PanewardError("outcome_unknown", `the connection to the daemon broke: ${cause.message}`, { cause });
}

export interface RequestsOptions {
  /** Where requests go, and by which agent. */
  readonly target: RequestOptions;
  readonly headers: Readonly<Record<string, string>>;
  /** Called before anything is sent. */
  readonly before?: () => void;
  readonly onVersion?: ((version: string) => void) | undefined;
  readonly failed: (cause: Error) => PanewardError;
}

/** Requests of Node, without fetch, to the socket or to a port. */
export function requestTransport(options: RequestsOptions): ClientTransport {
  // Importing node:http reads all its exports and so loads fetch and WebSocket too: 25 ms instead of 3.
  const { request } = process.getBuiltinModule("node:http");
  const { target, onVersion } = options;
  const open = (method: string, path: string, body?: string, signal?: AbortSignal): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      options.before?.();
      const headers = {
        ...options.headers,
        ...(body === undefined ? {} : jsonHeaders(body)),
      };
      const outgoing = request({ ...target, method, path, headers, ...(signal ? { signal } : {}) }, (answer) => {
        const version = answer.headers["x-paneward-version"];
        if (typeof version === "string") onVersion?.(version);
        resolve(answer);
      });
      outgoing.on("error", (cause) => reject(options.failed(cause)));
      outgoing.end(body);
    });
  return {
    async request(method, path, body, signal) {
      const answer = await open(method, path, body, signal);
      return { status: answer.statusCode ?? 0, text: await textOf(answer) };
    },
    async stream(path, signal) {
      const answer = await open("GET", path, undefined, signal);
      answer.setEncoding("utf8");
      return { status: answer.statusCode ?? 0, chunks: answer };
    },
  };
}

function jsonHeaders(body: string) {
  return { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
}

function cutOff(cause?: Error): PanewardError {
  return new PanewardError("outcome_unknown", "the daemon closed the connection before it answered", { cause });
}

// Events instead of an async iterator, which costs as much as the rest of a short call.
function textOf(answer: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const cut = (cause?: Error) => reject(cutOff(cause));
    let text = "";
    answer.setEncoding("utf8");
    answer.on("data", (chunk: string) => {
      text += chunk;
    });
    answer.on("end", () => resolve(text));
    answer.on("error", cut);
    answer.on("close", () => {
      if (!answer.complete) cut();
    });
  });
}
