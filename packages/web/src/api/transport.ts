import { type ClientTransport, fetchTransport, PanewardError } from "@paneward/sdk";

/**
 * How the page reaches its daemon: requests by fetch, the event stream by WebSocket, because tabs share six HTTP
 * connections.
 */
export function pageTransport(): ClientTransport {
  const { request } = fetchTransport("", undefined, (path, init) => fetch(path, { ...init, cache: "no-store" }));
  return {
    request,
    async stream(path, signal) {
      const socket = await opened(path.replace("/events/stream", "/events/ws"), signal).catch(async (error) => {
        // A browser does not say why a WebSocket was refused; a plain request gets the reason.
        const { status, text } = await request("GET", "/api/whoami", undefined, signal);
        if (status < 400) throw error;
        return { status, text };
      });
      if (socket instanceof WebSocket) return { status: 200, chunks: textOf(socket, signal) };
      return { status: socket.status, chunks: only(socket.text) };
    },
  };
}

export function socketAddress(path: string): string {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;
}

function opened(path: string, signal: AbortSignal): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(socketAddress(path));
    socket.onopen = () => resolve(socket);
    socket.onerror = () => reject(new PanewardError("unavailable", "the daemon does not answer"));
    signal.addEventListener("abort", () => socket.close());
  });
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
