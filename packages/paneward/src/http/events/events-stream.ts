import { setImmediate as nextTurn } from "node:timers/promises";
import type { EncodedEvent, EventFeed } from "./event-feed.ts";

export interface EventStreamOptions {
  /** The number of the last event that the client has; undefined begins with the next one. */
  readonly after: number | undefined;
  /** Undefined selects every type. */
  readonly types: ReadonlySet<string> | undefined;
  readonly isFlat: boolean;
  readonly heartbeatMs: number;
  readonly blockedMs: number;
  /** Ends the connection of a client that reads nothing. */
  readonly cut: () => void;
  readonly onOpen: () => void;
  readonly onClose: () => void;
}

/**
 * Events as a stream that the client pulls. The next piece is made when the last one was read, so that a slow client
 * keeps one piece in memory and catches up from the store.
 */
export function eventStream(feed: EventFeed, options: EventStreamOptions): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const stopped = new AbortController();
  let pieces: AsyncGenerator<string> | undefined;
  let blocked: NodeJS.Timeout | undefined;
  let isClosed = false;
  const open = () => {
    options.onOpen();
    feed.closing.addEventListener("abort", stop);
    return readPieces(feed, options, stopped.signal);
  };
  const stop = () => {
    if (blocked) options.cut();
    stopped.abort();
  };
  const close = () => {
    clearTimeout(blocked);
    feed.closing.removeEventListener("abort", stop);
    stopped.abort();
    if (pieces && !isClosed) options.onClose();
    isClosed = true;
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(blocked);
        blocked = undefined;
        // Opened by the first pull: the answer to a HEAD request is never read or cancelled.
        pieces ??= open();
        const piece = await pieces.next();
        if (isClosed) return;
        if (piece.done) {
          controller.close();
          return close();
        }
        controller.enqueue(encoder.encode(piece.value));
        blocked = setTimeout(options.cut, options.blockedMs);
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  );
}

const maxPiece = 65_536;

/** The text of the stream, from the client's last event on, without end. */
export async function* readPieces(
  feed: EventFeed,
  options: Pick<EventStreamOptions, "after" | "types" | "isFlat" | "heartbeatMs">,
  stop: AbortSignal,
): AsyncGenerator<string> {
  const beginning = beginningOf(feed, options.after);
  let { cursor } = beginning;
  let sentAt = performance.now();
  // Sent at once, so that a client without events can resume from here too.
  yield beginning.text;
  while (!stop.aborted && !feed.closing.aborted) {
    const { text, seq, more } = takePiece(feed.after(cursor), cursor, feed.newest(), options);
    cursor = seq;
    const silentFor = performance.now() - sentAt;
    if (text !== "" || silentFor >= options.heartbeatMs) {
      yield text === "" ? heartbeat(cursor) : text;
      sentAt = performance.now();
    } else if (more) await nextTurn();
    else await feed.news(options.heartbeatMs - silentFor, stop);
  }
}

function beginningOf(feed: EventFeed, after: number | undefined): { readonly cursor: number; readonly text: string } {
  const { oldest, newest } = feed.range();
  if (after === undefined || after === newest) return { cursor: newest, text: heartbeat(newest) };
  // A number that does not exist yet comes from another database: the client's knowledge is useless.
  const cursor = after > newest ? newest : Math.max(after, oldest - 1);
  return { cursor, text: cursor === after ? heartbeat(after) : gap(after, cursor) };
}

interface Piece {
  readonly text: string;
  readonly seq: number;
  /** There may be more events without waiting. */
  readonly more: boolean;
}

function takePiece(
  events: readonly EncodedEvent[],
  cursor: number,
  newest: number,
  { types, isFlat }: Pick<EventStreamOptions, "types" | "isFlat">,
): Piece {
  if (events.length === 0) {
    return { text: newest > cursor ? gap(cursor, newest) : "", seq: Math.max(cursor, newest), more: false };
  }
  let text = "";
  let seq = cursor;
  for (const event of events) {
    if (text.length >= maxPiece) break;
    if (event.seq !== seq + 1) text += gap(seq, event.seq - 1);
    if (!types || types.has(event.type)) text += isFlat ? event.flat() : event.text;
    seq = event.seq;
  }
  return { text, seq, more: true };
}

function heartbeat(cursor: number): string {
  return `id: ${cursor}\nevent: heartbeat\ndata: {}\n\n`;
}

/** Events after `after`, up to `before`, are no longer stored. */
function gap(after: number, before: number): string {
  return `id: ${before}\nevent: gap\ndata: ${JSON.stringify({ type: "gap", after, before })}\n\n`;
}
