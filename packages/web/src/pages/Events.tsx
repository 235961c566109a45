import { eventTypes } from "@paneward/sdk/reference";
import { eventWords } from "@paneward/sdk/view";
import { useEffect, useState } from "preact/hooks";
import { client } from "../api/client.ts";
import { onEvent, view } from "../state/live.ts";
import { clockOf } from "../ui/clock.ts";
import { Loaded, useAnswer } from "../ui/Loaded.tsx";

interface ShownEvent {
  readonly seq: number;
  readonly at: number;
  readonly type: string;
  readonly data: unknown;
}

const maxEvents = 300;

/** The event log, newest first, with filters. */
export function Events() {
  const [type, setType] = useState("");
  const [words, setWords] = useState("");
  const [live, setLive] = useState<readonly ShownEvent[]>([]);
  const past = useAnswer(
    (signal) =>
      client.events(
        { after: Math.max(0, view.get().lastEvent - 2_000), limit: 2_000, ...(type ? { types: type } : {}) },
        { signal },
      ),
    [type],
  );
  useEffect(
    () =>
      onEvent((event) => {
        if (event.type !== "gap") setLive((before) => [event, ...before].slice(0, maxEvents));
      }),
    [],
  );
  return (
    <main class="page">
      <h1>Events</h1>
      <div class="tools">
        <label>
          Type
          <select value={type} onChange={({ currentTarget }) => setType(currentTarget.value)}>
            <option value="">all</option>
            {eventTypes.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <label>
          With the words
          <input type="search" value={words} onInput={({ currentTarget }) => setWords(currentTarget.value)} />
        </label>
      </div>
      <Loaded of={past}>{({ events }) => <List events={chosen(live, events, type, words)} />}</Loaded>
    </main>
  );
}

function List({ events }: { readonly events: readonly ShownEvent[] }) {
  return (
    <ol class="rows events">
      {events.map((event) => (
        <li key={event.seq}>
          <span class="quiet">{event.seq}</span>
          <strong>{event.type}</strong>
          <details class="text">
            <summary>{eventWords(event.type, event.data)}</summary>
            <pre>{JSON.stringify(event.data, undefined, 2)}</pre>
          </details>
          <span class="quiet">{clockOf(event.at)}</span>
        </li>
      ))}
    </ol>
  );
}

function chosen(
  live: readonly ShownEvent[],
  past: readonly ShownEvent[],
  type: string,
  words: string,
): readonly ShownEvent[] {
  const bySeq = new Map([...past, ...live].map((event) => [event.seq, event]));
  return [...bySeq.values()]
    .filter(
      (event) =>
        (type === "" || event.type === type) && JSON.stringify(event).toLowerCase().includes(words.toLowerCase()),
    )
    .sort((a, b) => b.seq - a.seq)
    .slice(0, maxEvents);
}
