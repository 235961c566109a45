import type { InboxEvent } from "@paneward/sdk";
import type { World } from "../world.ts";

export interface InboxQuestion {
  readonly team: string;
  readonly agent: string;
  /** A cursor, or `seen` for where this agent was last. Asking from a cursor confirms everything up to it. */
  readonly since: number | "seen";
  readonly limit: number;
  readonly waitMs: number;
}

export interface Notices {
  readonly events: readonly InboxEvent[];
  readonly nextSince: string;
}

/** An agent's notices behind a cursor; waits for the first one if there is none. */
export async function readInbox(world: World, asked: InboxQuestion, signal: AbortSignal): Promise<Notices> {
  const { team, agent } = asked;
  const since = asked.since === "seen" ? world.store.team.seen(team, agent) : asked.since;
  if (since > world.store.team.seen(team, agent))
    world.store.write((writer) => writer.team.putSeen(team, agent, since));
  const look = () => world.store.team.inbox(team, agent, since, asked.limit);
  const found = look();
  const events = found.length > 0 || asked.waitMs === 0 ? found : await untilSome(world, look, asked.waitMs, signal);
  return { events, nextSince: String(events.at(-1)?.cursor ?? since) };
}

async function untilSome(
  world: World,
  look: () => readonly InboxEvent[],
  ms: number,
  signal: AbortSignal,
): Promise<readonly InboxEvent[]> {
  const over = new AbortController();
  let found: readonly InboxEvent[] = [];
  // Every notice is written together with an event about the same thing.
  const stop = world.store.onEvents((events) => {
    if (!events.some(({ type }) => noticeEvents.has(type))) return;
    found = look();
    if (found.length > 0) over.abort();
  });
  await world.clock.sleep(ms, AbortSignal.any([signal, over.signal]));
  stop();
  return found;
}

const noticeEvents: ReadonlySet<string> = new Set(["thread_message", "team_task_changed", "team_worker_changed"]);
