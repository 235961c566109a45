import type { WebSocket } from "ws";

/** One WebSocket of a client: sends at the client's pace, notices when it left, and never throws because it did. */
export interface ClientSocket {
  /** True once the data was handed to the network; false when the client is gone. */
  send(data: string | Uint8Array): Promise<boolean>;
  onMessage(listener: (text: string) => void): void;
  /** Bytes that wait for the client to take them. */
  unsent(): number;
  close(code: number, reason: string): void;
  /** Aborted when the connection is over. */
  readonly signal: AbortSignal;
}

const closeMs = 500;

export function clientSocket(socket: WebSocket, heartbeatMs: number, stillAllowed: () => boolean): ClientSocket {
  const gone = new AbortController();
  let isAnswered = true;
  const close = (code: number, reason: string) => {
    socket.close(code, reason);
    // A client that sleeps never says goodbye back.
    setTimeout(() => socket.terminate(), closeMs).unref();
  };
  const beat = setInterval(() => {
    if (!stillAllowed()) return close(4_401, "not logged in any more");
    if (!isAnswered) return socket.terminate();
    isAnswered = false;
    socket.ping();
  }, heartbeatMs);
  socket.on("pong", () => {
    isAnswered = true;
  });
  // A broken connection is an ordinary way to leave; `close` follows.
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
