import type { IncomingMessage } from "node:http";

// Our clients and browsers send pieces of kilobytes.
const maxTiny = 256;
const tinyBytes = 64;

/**
 * Each piece of a body costs about as much as a short request, and a packet holds ten thousand chunks of one byte: sixteen
 * such bodies held everybody up for a minute. A client that sends so many loses its connection, whichever door reads them.
 */
export function boundPieces(incoming: IncomingMessage): void {
  const { "content-length": length, "transfer-encoding": encoding } = incoming.headers;
  if (length === undefined && encoding === undefined) return;
  const push = incoming.push.bind(incoming);
  let pieces = 0;
  let bytes = 0;
  incoming.push = (piece: Buffer | null, encoding) => {
    pieces++;
    bytes += piece?.length ?? 0;
    if (piece === null || pieces <= maxTiny || bytes >= pieces * tinyBytes) return push(piece, encoding);
    incoming.socket.destroy();
    return false;
  };
}
