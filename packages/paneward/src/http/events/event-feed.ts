import type { PanewardEvent } from "@paneward/sdk";
import type { Store } from "../../runtime/ports.ts";

/** An event as it travels: written once, however many clients get it. */
export interface EncodedEvent {
  readonly seq: number;
  readonly type: string;
  readonly text: string;
}

/** The event log as streams read it: the newest events from memory, older ones from the store. */
export interface EventFeed {
  /** Some events after a number, in order; none when it is the newest. The first may be later when the log was trimmed. */
  after(seq: number): readonly EncodedEvent[];
  range(): { readonly oldest: number; readonly newest: number };
  newest(): number;
  /** True as soon as there is something new; false when the time is over or the signal says stop. */
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
    after: (seq) => (seq >= newest ? [] : (ring.after(seq) ?? store.events(seq, batchLength).map(encode))),
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

const batchLength = 256;
const ringLength = 1_024;
const ringCharacters = 4_000_000;

interface Ring {
  push(event: EncodedEvent): void;
  /** Undefined when the ring does not reach back so far. */
  after(seq: number): readonly EncodedEvent[] | undefined;
}

// Holds numbers without a hole. Should events ever be told out of turn, it begins anew and the store has the rest.
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
      while (events.length > ringLength || characters > ringCharacters) {
        characters -= events.shift()?.text.length ?? characters;
      }
    },
    after(seq) {
      const [first] = events;
      if (!first || first.seq > seq + 1) return undefined;
      const from = seq + 1 - first.seq;
      return events.slice(from, from + batchLength);
    },
  };
}

function encode(event: PanewardEvent): EncodedEvent {
  const { seq, type } = event;
  return { seq, type, text: `id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify(event)}\n\n` };
}
