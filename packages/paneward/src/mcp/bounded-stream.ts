/**
 * The same stream for a client that may not read. When more than `maxWaiting` bytes would wait for it, the stream ends, its
 * source is cancelled, and `cut` ends the connection with what waits. The MCP library puts notifications into its
 * streams without asking whether anybody takes them.
 */
export function boundedStream(
  source: ReadableStream<Uint8Array>,
  { maxWaiting, cut }: { readonly maxWaiting: number; readonly cut: () => void },
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  const pump = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if ((controller.desiredSize ?? 0) < next.value.byteLength) {
        await reader.cancel();
        cut();
        break;
      }
      controller.enqueue(next.value);
    }
    controller.close();
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // An error of the source is one of the stream; after the client cancelled, this does nothing.
        pump(controller).catch((error) => controller.error(error));
      },
      cancel: (reason) => reader.cancel(reason),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: maxWaiting }),
  );
}
