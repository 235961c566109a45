/** One message of an event stream. */
export interface ServerSentEvent {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

/**
 * Reads `text/event-stream` in chunks of any size. A message with more than `maxLength` characters of data is left out
 * whole, and no more than that and one chunk is ever held.
 */
export async function* parseServerSentEvents(
  chunks: AsyncIterable<string>,
  maxLength = Number.POSITIVE_INFINITY,
): AsyncGenerator<ServerSentEvent> {
  // Most commands follow nothing, and start faster without it.
  const { createParser } = await import("eventsource-parser");
  let events: ServerSentEvent[] = [];
  let isTooLong = false;
  let last = "";
  const parser = createParser({
    maxBufferSize: maxLength,
    onEvent({ id, event = "message", data }) {
      if (data.length <= maxLength) events.push({ id, event, data });
    },
    onError({ type }) {
      if (type === "max-buffer-size-exceeded") isTooLong = true;
    },
  });
  for await (const chunk of chunks) {
    // The parser stops within a message that is too long; the empty line that ends it may have begun in an earlier chunk.
    const text = isTooLong ? afterEmptyLine(last + chunk) : chunk;
    last = (last + chunk).slice(-3);
    if (text === undefined) continue;
    if (isTooLong) parser.reset();
    isTooLong = false;
    parser.feed(text);
    yield* events;
    events = [];
  }
}

function afterEmptyLine(text: string): string | undefined {
  const found = /\r?\n\r?\n/.exec(text);
  return found ? text.slice(found.index + found[0].length) : undefined;
}
