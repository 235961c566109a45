import type { TmuxEvent } from "../../src/protocol/ledger.ts";
import type { Server } from "../../src/server.ts";
import { type Watcher, watchServer } from "../../src/watch.ts";
import { afterwards, type Cleanup } from "./folder.ts";
import { until } from "./until.ts";

type Kind = TmuxEvent["kind"];
type EventOf<K extends Kind> = Extract<TmuxEvent, { readonly kind: K }>;

export interface Watched {
  readonly watcher: Watcher;
  readonly events: readonly TmuxEvent[];
  readonly of: <K extends Kind>(kind: K) => readonly EventOf<K>[];
  /** Waits for the first matching event of a kind. */
  readonly first: <K extends Kind>(kind: K, fits?: (event: EventOf<K>) => boolean) => Promise<EventOf<K>>;
}

/** Watches a server and records all events. */
export async function watched(t: Cleanup, server: Server, repairMs = 200): Promise<Watched> {
  const watcher = await watchServer(server, { repairMs });
  const events: TmuxEvent[] = [];
  const collecting = (async () => {
    for await (const event of watcher) events.push(event);
  })();
  afterwards(t, async () => {
    await watcher.close();
    await collecting;
  });
  const of = <K extends Kind>(kind: K) => events.filter((event): event is EventOf<K> => event.kind === kind);
  return {
    watcher,
    events,
    of,
    first: (kind, fits = () => true) => until(`${kind} is reported`, () => of(kind).find(fits)),
  };
}
