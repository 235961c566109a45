import { randomUUID } from "node:crypto";
import type { WebSocket } from "ws";

/** One WebSocket of a client: sends at the client's pace, and never throws when the client disconnects. */
export interface ClientSocket {
  /** True once the data was passed to the network; false after a disconnect. */
  send(data: string | Uint8Array): Promise<boolean>;
  /** Messages that arrive until either side closes. */
  onMessage(listener: (text: string) => void): void;
  /** Reads nothing more from the client until `resume`; what was read already is still delivered. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** Bytes that the client has not read yet. */
  unsent(): number;
  close(code: number, reason: string): void;
  /** Aborted when the connection has closed. */
  readonly signal: AbortSignal;
  /** It ended, and not because the client closed it and continues: it was killed, or its page was left. */
  isBroken(): boolean;
}

const closeMs = 500;
/** What a page's own `close()` comes to. */
const closedByClient: readonly number[] = [1_000, 1_005];

export function clientSocket(socket: WebSocket, heartbeatMs: number, isAllowed: () => boolean): ClientSocket {
  const gone = new AbortController();
  const close = (code: number, reason: string) => {
    socket.close(code, reason);
    // A suspended client never closes its side.
    setTimeout(() => socket.terminate(), closeMs).unref();
  };
  const isAlive = heartbeat(socket);
  const beat = setInterval(() => {
    if (!isAllowed()) return close(4_401, "no longer logged in");
    if (!isAlive()) socket.terminate();
  }, heartbeatMs);
  answerPings(socket);
  // A broken connection needs no handling; `close` follows.
  socket.on("error", () => {});
  let isBroken = false;
  socket.on("close", (code) => {
    isBroken = !closedByClient.includes(code);
    clearInterval(beat);
    gone.abort();
  });
  return {
    send: (data) =>
      new Promise((resolve) => {
        if (socket.readyState !== socket.OPEN) return resolve(false);
        socket.send(data, (error) => resolve(!error));
      }),
    onMessage: (listener) =>
      socket.on("message", (data, isBinary) => {
        // What lies behind the message that made us close is still emitted.
        if (!isBinary && socket.readyState === socket.OPEN) listener(data.toString());
      }),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    unsent: () => socket.bufferedAmount,
    close,
    signal: gone.signal,
    isBroken: () => isBroken,
  };
}

/** Asks whether the client is still there; false if it has not answered the last time. */
function heartbeat(socket: WebSocket): () => boolean {
  let asked: string | undefined;
  // Only a client that reads knows what was asked: an unasked pong proves nothing.
  socket.on("pong", (data) => {
    if (data.toString() === asked) asked = undefined;
  });
  return () => {
    // While the client is not read, its answer cannot arrive; that it takes what is sent must do.
    if (asked !== undefined) return socket.isPaused && socket.bufferedAmount === 0;
    asked = randomUUID();
    socket.ping(asked);
    return true;
  };
}

/** One pong at a time, for the newest ping (RFC 6455, 5.5.3): pings that are faster than the client reads cost nothing. */
function answerPings(socket: WebSocket): void {
  let newest: Buffer | undefined;
  let isAnswering = false;
  const answer = () => {
    if (isAnswering || newest === undefined || socket.readyState !== socket.OPEN) return;
    isAnswering = true;
    const data = newest;
    newest = undefined;
    socket.pong(data, false, () => {
      isAnswering = false;
      answer();
    });
  };
  socket.on("ping", (data) => {
    newest = data;
    answer();
  });
}
