import type { IncomingMessage } from "node:http";
import { parseServerSentEvents, type ServerSentEvent } from "@paneward/sdk";
import { afterwards, type Cleanup } from "../../support/folder.ts";
import { until } from "../../support/until.ts";
import { type Address, open } from "./ask.ts";

export interface Stream {
  readonly answer: IncomingMessage;
  /** All events except heartbeats. */
  readonly seen: ServerSentEvent[];
  readonly heartbeats: ServerSentEvent[];
  readonly ended: () => boolean;
  /** The first `count` events, once they have arrived. */
  readonly first: (count: number) => Promise<readonly ServerSentEvent[]>;
}

/** Opens an event stream and collects its events; returns when the first one has arrived. */
export async function stream(
  t: Cleanup,
  address: Address,
  query = "",
  headers: Readonly<Record<string, string>> = {},
): Promise<Stream> {
  const answer = await open(address, { path: `/api/events/stream${query}`, headers });
  answer.setEncoding("utf8");
  const seen: ServerSentEvent[] = [];
  const heartbeats: ServerSentEvent[] = [];
  let ended = false;
  const reading = (async () => {
    for await (const event of parseServerSentEvents(answer)) {
      (event.event === "heartbeat" ? heartbeats : seen).push(event);
    }
  })()
    .catch(() => undefined)
    .finally(() => {
      ended = true;
    });
  afterwards(t, async () => {
    answer.destroy();
    await reading;
  });
  await until("the stream has begun", () => seen.length + heartbeats.length > 0 || ended);
  return {
    answer,
    seen,
    heartbeats,
    ended: () => ended,
    first: (count) => until(`${count} events came`, () => seen.length >= count && seen.slice(0, count)),
  };
}

export function numbers(events: readonly ServerSentEvent[]): readonly number[] {
  return events.map(({ id }) => Number(id));
}

export function range(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
