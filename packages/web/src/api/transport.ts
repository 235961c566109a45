import { type ClientTransport, errorFromBody, fetchTransport, PanewardError } from "@paneward/sdk";
import { doubtServer, endSession, session } from "./session.ts";
import { viewerOfTab } from "./viewer.ts";

/**
 * How the page reaches its daemon: requests by fetch, the event stream by WebSocket, because tabs share six HTTP
 * connections.
 */
export function pageTransport(): ClientTransport {
  const { request } = fetchTransport("", undefined, withSession);
  return {
    request,
    async stream(path, signal) {
      // When this connection breaks, nobody looks at this tab any more.
      const address = `${path.replace("/events/stream", "/events/ws")}&viewer=${viewerOfTab()}`;
      const socket = await opened(address, signal).catch(async () => {
        // A browser does not say why a WebSocket was refused; plain requests get the reason.
        const { status, text } = await request("GET", "/api/whoami", undefined, signal);
        if (status >= 400) return { status, text };
        throw notPassedOn((await request("GET", address, undefined, signal)).text);
      });
      if (socket instanceof WebSocket) return { status: 200, chunks: textOf(socket, signal) };
      return { status: socket.status, chunks: only(socket.text) };
    },
  };
}

/** Sent while the page is left. */
const onLeaving = "/api/notify/presence";

// A daemon that was restarted does not know the session; nothing has happened yet.
async function withSession(path: string, init: RequestInit): Promise<Response> {
  const send = async () => {
    const headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${await session()}` };
    return fetch(path, { ...init, headers, cache: "no-store", keepalive: path === onLeaving });
  };
  const first = await send();
  if (first.status !== 401) return first;
  endSession();
  return send();
}

/** A WebSocket with this browser's session. When it is lost, the next server must prove itself again. */
export async function openSocket(path: string): Promise<WebSocket> {
  const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;
  const socket = new WebSocket(address, ["paneward.v1", `bearer.${await session()}`]);
  socket.addEventListener("close", ({ code }) => {
    if (code !== endedByServer && code !== endedByPage) doubtServer();
  });
  return socket;
}

const endedByServer = 1_000;
const endedByPage = 1_005;

async function opened(path: string, signal: AbortSignal): Promise<WebSocket> {
  const socket = await openSocket(path);
  return new Promise((resolve, reject) => {
    socket.onopen = () => resolve(socket);
    socket.onerror = () => reject(new PanewardError("unavailable", "the daemon does not answer"));
    signal.addEventListener("abort", () => socket.close());
  });
}

/** Requests arrive and WebSockets do not: what the daemon says of one without `Upgrade`. It is tried again later. */
function notPassedOn(answer: string): PanewardError {
  const { hint } = errorFromBody(parsed(answer), 400);
  return new PanewardError("unavailable", `requests reach the daemon, but WebSockets do not: ${hint}`, { hint });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function* only(text: string): AsyncGenerator<string> {
  yield text;
}

async function* textOf(socket: WebSocket, signal: AbortSignal): AsyncGenerator<string> {
  const waiting: string[] = [];
  let wake = () => {};
  let isOver = false;
  socket.onmessage = ({ data }) => {
    waiting.push(String(data));
    wake();
  };
  socket.onclose = () => {
    isOver = true;
    wake();
  };
  try {
    while (!signal.aborted) {
      const next = waiting.shift();
      if (next !== undefined) yield next;
      else if (isOver) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    socket.close();
  }
}
