import type { InboxEvent } from "@paneward/sdk";
import type { Runtime } from "../world.ts";

export interface InboxQuestion {
  readonly team: string;
  readonly agent: string;
  /** A cursor, or where this agent was last. Asking from a cursor says that everything up to it has arrived. */
  readonly since: number | "seen";
  readonly limit: number;
  readonly waitMs: number;
}

export interface Notices {
  readonly events: readonly InboxEvent[];
  readonly nextSince: string;
}

/** An agent's notices behind a cursor; waits for the first one if there is none. */
export async function readInbox(rt: Runtime, asked: InboxQuestion, signal: AbortSignal): Promise<Notices> {
  const { team, agent } = asked;
  const since = asked.since === "seen" ? rt.store.team.seen(team, agent) : asked.since;
  if (since > rt.store.team.seen(team, agent)) rt.store.write((writer) => writer.team.putSeen(team, agent, since));
  const look = () => rt.store.team.inbox(team, agent, since, asked.limit);
  const found = look();
  const events = found.length > 0 || asked.waitMs === 0 ? found : await untilSome(rt, look, asked.waitMs, signal);
  return { events, nextSince: String(events.at(-1)?.cursor ?? since) };
}

function untilSome(
  rt: Runtime,
  look: () => readonly InboxEvent[],
  ms: number,
  signal: AbortSignal,
): Promise<readonly InboxEvent[]> {
  return new Promise((resolve) => {
    const done = (events: readonly InboxEvent[]) => {
      clearTimeout(timer);
      stop();
      signal.removeEventListener("abort", giveUp);
      resolve(events);
    };
    const giveUp = () => done([]);
    const timer = setTimeout(giveUp, ms);
    // Every notice is written together with an event that tells of the same thing.
    const stop = rt.store.onEvents((events) => {
      if (!events.some(({ type }) => tellingTypes.has(type))) return;
      const found = look();
      if (found.length > 0) done(found);
    });
    signal.addEventListener("abort", giveUp);
    if (signal.aborted) giveUp();
  });
}

const tellingTypes: ReadonlySet<string> = new Set(["thread_message", "team_task_changed", "team_worker_changed"]);
