import type { InboxEvent } from "@paneward/sdk";
import type { TeamPorts } from "./members.ts";

export interface InboxRequest {
  readonly team: string;
  readonly agent: string;
  /** A cursor, or `seen` for the last one that this agent confirmed. Reading from a cursor confirms everything up to it. */
  readonly since: number | "seen";
  readonly limit: number;
  readonly waitMs: number;
}

export interface Notices {
  readonly events: readonly InboxEvent[];
  readonly nextSince: string;
}

/** An agent's notices after a cursor. Without any, waits for the first one. */
export async function readInbox(ports: TeamPorts, request: InboxRequest, signal: AbortSignal): Promise<Notices> {
  const { team, agent } = request;
  const since = request.since === "seen" ? ports.store.team.seen(team, agent) : request.since;
  if (since > ports.store.team.seen(team, agent) && isGiven(ports, request, since))
    ports.store.keep((writer) => writer.team.putSeen(team, agent, since));
  const look = () => ports.store.team.inbox(team, agent, since, request.limit);
  const found = look();
  const events =
    found.length > 0 || request.waitMs === 0 ? found : await waitForNotices(ports, look, request.waitMs, signal);
  return { events, nextSince: String(events.at(-1)?.cursor ?? since) };
}

/** A cursor of another database, or an invented one, must not confirm notices that are still to come. */
function isGiven({ store }: Pick<TeamPorts, "store">, { team, agent }: InboxRequest, cursor: number): boolean {
  return store.team.inbox(team, agent, cursor - 1, 1).length > 0;
}

async function waitForNotices(
  ports: TeamPorts,
  look: () => readonly InboxEvent[],
  ms: number,
  signal: AbortSignal,
): Promise<readonly InboxEvent[]> {
  const over = new AbortController();
  let found: readonly InboxEvent[] = [];
  // Every notice is written in one transaction with an event of one of these types.
  const stop = ports.store.onEvents((events) => {
    if (!events.some(({ type }) => noticeEvents.has(type))) return;
    found = look();
    if (found.length > 0) over.abort();
  });
  await ports.clock.sleep(ms, AbortSignal.any([signal, over.signal]));
  stop();
  return found;
}

const noticeEvents: ReadonlySet<string> = new Set(["thread_message", "team_task_changed", "team_worker_changed"]);
