import { type PanewardEvent, wellFormed } from "@paneward/sdk";
import { eventTable } from "@paneward/sdk/reference";
import type { Store } from "../../runtime/ports.ts";

/** An event as text, encoded once for all clients. */
export interface EncodedEvent {
  readonly seq: number;
  readonly type: string;
  readonly text: string;
  /** With the fields of the event beside its type. */
  readonly flat: () => string;
}

/** The event log as streams read it: the newest events from memory, older ones from the store. */
export interface EventFeed {
  /** Some events after a number, in order; none after the newest. If the log was trimmed, they begin later. */
  after(seq: number): readonly EncodedEvent[];
  range(): { readonly oldest: number; readonly newest: number };
  newest(): number;
  /** True as soon as there is a new event; false after `ms` or when the signal aborts. */
  news(ms: number, signal: AbortSignal): Promise<boolean>;
  /** Aborted when the feed is closed. */
  readonly closing: AbortSignal;
  close(): void;
}

export function createEventFeed(store: Pick<Store, "onEvents" | "events" | "eventRange">): EventFeed {
  const ring = createRing();
  const waiting = new Set<() => void>();
  const closing = new AbortController();
  let newest = store.eventRange().newest;
  const unsubscribe = store.onEvents((events) => {
    for (const event of events) {
      ring.push(encode(event));
      newest = Math.max(newest, event.seq);
    }
    for (const wake of [...waiting]) wake();
  });
  return {
    after: (seq) => (seq >= newest ? [] : (ring.after(seq) ?? store.events(seq, maxBatch).map(encode))),
    range: () => store.eventRange(),
    newest: () => newest,
    news: (ms, signal) =>
      new Promise((resolve) => {
        const done = (isNew: boolean) => {
          clearTimeout(timer);
          waiting.delete(wake);
          signal.removeEventListener("abort", stop);
          resolve(isNew);
        };
        const wake = () => done(true);
        const stop = () => done(false);
        const timer = setTimeout(stop, ms);
        waiting.add(wake);
        signal.addEventListener("abort", stop);
        if (signal.aborted) stop();
      }),
    closing: closing.signal,
    close() {
      unsubscribe();
      closing.abort();
    },
  };
}

const maxBatch = 256;
const maxRingEvents = 1_024;
const maxRingCharacters = 4_000_000;

interface Ring {
  push(event: EncodedEvent): void;
  /** Undefined when the ring does not reach back that far. */
  after(seq: number): readonly EncodedEvent[] | undefined;
}

// Numbers have no gaps. If events ever arrive out of order, the ring restarts; the store has the rest.
function createRing(): Ring {
  let events: EncodedEvent[] = [];
  let characters = 0;
  const clear = () => {
    events = [];
    characters = 0;
  };
  return {
    push(event) {
      if (event.seq !== (events.at(-1)?.seq ?? event.seq - 1) + 1) clear();
      events.push(event);
      characters += event.text.length;
      while (events.length > maxRingEvents || characters > maxRingCharacters) {
        characters -= events.shift()?.text.length ?? characters;
      }
    },
    after(seq) {
      const [first] = events;
      if (!first || first.seq > seq + 1) return undefined;
      const from = seq + 1 - first.seq;
      return events.slice(from, from + maxBatch);
    },
  };
}

function encode(event: PanewardEvent): EncodedEvent {
  const { seq, type } = event;
  const as = (data: object) => `id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify(wellFormed(data))}\n\n`;
  return { seq, type, text: as(event), flat: () => as(flatEvent(event)) };
}

/** The names of the older dashboard: `agent_id` of every agent, `_eid` of every event. */
function flatEvent({ seq, at, type, data }: PanewardEvent): object {
  const agent =
    "turn" in data ? data.turn.agent : eventTable[type].of === "agent" ? Reflect.get(data, "agent") : undefined;
  return { type, at, ...(agent === undefined ? {} : { agent_id: agent }), ...data, _eid: seq };
}
