import { randomInt } from "node:crypto";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { connect, createServer, type Socket } from "node:net";
import { parseServerSentEvents } from "@paneward/sdk";
import type { ServerPlace, ServerRequest, ServerSaid } from "../model/agents/agent-server.ts";
import type { AgentHttp, StreamListener } from "../runtime/ports.ts";
import { processTreeListens } from "./port-owner.ts";

/** HTTP to agents on loopback. Each request uses its own connection, after checking which process listens. */
export function createAgentHttp(limits: Limits = { silentMs: 45_000, answerMs: 10_000 }): AgentHttp {
  return {
    freePort,
    isFree,
    ask: (at, request, signal) => {
      const limit = AbortSignal.timeout(limits.answerMs);
      return ask(at, request, signal ? AbortSignal.any([signal, limit]) : limit);
    },
    follow: (at, path, listener, signal) => follow(at, path, listener, signal, limits),
  };
}

interface Limits {
  /** An agent that sends nothing on its stream for this long hangs. */
  readonly silentMs: number;
  readonly answerMs: number;
}

async function follow(
  at: ServerPlace,
  path: string,
  listener: StreamListener,
  signal: AbortSignal,
  { silentMs, answerMs }: Limits,
): Promise<string> {
  // opencode accepts connections before it is ready, and never answers some of those.
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), answerMs);
  const opened = await send(at, { method: "GET", path }, AbortSignal.any([signal, late.signal]));
  clearTimeout(timer);
  if (opened.kind !== "answered") return opened.reason;
  const { answer, socket } = opened;
  if (answer.statusCode !== 200) {
    socket.destroy();
    return `${path} was answered with ${answer.statusCode}`;
  }
  // opencode sends a heartbeat every ten seconds, so silence means that it hangs.
  let timedOut = false;
  socket.setTimeout(silentMs, () => {
    timedOut = true;
    socket.destroy();
  });
  listener.opened();
  try {
    for await (const { data } of parseServerSentEvents(answer.setEncoding("utf8"), maxMessage)) listener.message(data);
    return "the stream ended";
  } catch (error) {
    return timedOut ? "the stream was silent for too long" : reasonOf(error);
  } finally {
    socket.destroy();
  }
}

async function ask(at: ServerPlace, request: ServerRequest, signal: AbortSignal): Promise<ServerSaid> {
  const reply = await send(at, request, signal);
  if (reply.kind !== "answered") return reply;
  const { answer, socket } = reply;
  try {
    let text = "";
    for await (const piece of answer.setEncoding("utf8")) {
      text += piece;
      if (text.length > maxAnswerLength) throw new Error("its answer is too long");
    }
    return { kind: "said", status: answer.statusCode ?? 0, body: parsed(text) };
  } catch (error) {
    return { kind: "unknown", reason: reasonOf(error) };
  } finally {
    socket.destroy();
  }
}

type Answered =
  | { readonly kind: "answered"; readonly answer: IncomingMessage; readonly socket: Socket }
  | Exclude<ServerSaid, { readonly kind: "said" }>;

async function send(at: ServerPlace, wanted: ServerRequest, signal: AbortSignal): Promise<Answered> {
  const socket = await connectChecked(at, signal);
  if (!socket) return { kind: "unreached", reason: `the agent does not listen on port ${at.port}` };
  const body = wanted.body === undefined ? undefined : JSON.stringify(wanted.body);
  return new Promise((resolve) => {
    const request = httpRequest({
      createConnection: () => socket,
      host: "127.0.0.1",
      port: at.port,
      method: wanted.method,
      path: wanted.path,
      headers: headersFor(at, body),
      signal,
    });
    request.on("response", (answer) => resolve({ kind: "answered", answer, socket }));
    request.on("error", (error) => {
      socket.destroy();
      resolve({ kind: "unknown", reason: reasonOf(error) });
    });
    request.end(body);
  });
}

function headersFor({ user, password }: ServerPlace, body: string | undefined): Record<string, string> {
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  return {
    ...(password === undefined ? {} : { authorization: `Basic ${btoa(`${user}:${password}`)}` }),
    ...(body === undefined ? {} : { "content-type": "application/json", ...length }),
    connection: "close",
  };
}

// Check the listener before and after connecting, so that another process never even gets the password.
async function connectChecked({ port, pid }: ServerPlace, signal: AbortSignal): Promise<Socket | undefined> {
  if (!processTreeListens(pid, port)) return undefined;
  const socket = await connectTo(port, signal);
  if (!socket || processTreeListens(pid, port)) return socket;
  socket.destroy();
  return undefined;
}

function connectTo(port: number, signal: AbortSignal): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port, signal, noDelay: true });
    socket.once("connect", () => {
      socket.removeListener("error", failed);
      resolve(socket);
    });
    const failed = () => resolve(undefined);
    socket.once("error", failed);
    // Until the request takes over, an unhandled socket error would end the daemon.
    socket.on("error", () => {});
  });
}

async function freePort(taken: readonly number[]): Promise<number> {
  for (;;) {
    const port = randomInt(minPort, maxPort);
    if (!taken.includes(port) && (await isFree(port))) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ host: "127.0.0.1", port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Below the ephemeral port range, so that a free port stays free until the agent has started. */
const minPort = 20_000;
const maxPort = 32_000;
const maxAnswerLength = 32_000_000;
/** The diff of a large file is one message. */
const maxMessage = 8_000_000;
