import type { WebSocket } from "ws";

/** One WebSocket of a client: sends at the client's pace, and never throws when the client disconnects. */
export interface ClientSocket {
  /** True once the data was passed to the network; false after a disconnect. */
  send(data: string | Uint8Array): Promise<boolean>;
  onMessage(listener: (text: string) => void): void;
  /** Bytes that the client has not read yet. */
  unsent(): number;
  close(code: number, reason: string): void;
  /** Aborted when the connection has closed. */
  readonly signal: AbortSignal;
}

const closeMs = 500;

export function clientSocket(socket: WebSocket, heartbeatMs: number, isAllowed: () => boolean): ClientSocket {
  const gone = new AbortController();
  let isAnswered = true;
  const close = (code: number, reason: string) => {
    socket.close(code, reason);
    // A suspended client never closes its side.
    setTimeout(() => socket.terminate(), closeMs).unref();
  };
  const beat = setInterval(() => {
    if (!isAllowed()) return close(4_401, "no longer logged in");
    if (!isAnswered) return socket.terminate();
    isAnswered = false;
    socket.ping();
  }, heartbeatMs);
  socket.on("pong", () => {
    isAnswered = true;
  });
  // A broken connection needs no handling; `close` follows.
  socket.on("error", () => {});
  socket.on("close", () => {
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
        if (!isBinary) listener(data.toString());
      }),
    unsent: () => socket.bufferedAmount,
    close,
    signal: gone.signal,
  };
}
