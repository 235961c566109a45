import { setTimeout as delay } from "node:timers/promises";
import type { InboxEvent } from "@paneward/sdk";
import type { Pi, PiContext } from "../pi/api.ts";
import type { Teamd } from "./teamd.ts";

interface Notices {
  readonly events: readonly InboxEvent[];
  readonly nextSince: string;
}

const messageType = "team-inbox";
const holdSeconds = 120;
const longestPauseMs = 5_000;

/** Follows this agent's inbox: the daemon holds each question until there is news. What was told once is not told again. */
export async function followNews(
  pi: Pi,
  ctx: PiContext,
  teamd: Pick<Teamd, "get">,
  isWorker: boolean,
  signal: AbortSignal,
): Promise<void> {
  const told = toldBefore(ctx.sessionManager.getEntries());
  let since = "seen";
  for (let pause = 100; !signal.aborted; ) {
    try {
      const { events, nextSince } = await teamd.get<Notices>("/v1/inbox", { since, wait: holdSeconds }, { signal });
      if (signal.aborted) return;
      tell(
        pi,
        events.filter(({ cursor }) => !told.has(cursor)),
        isWorker,
      );
      for (const { cursor } of events) told.add(cursor);
      since = nextSince;
      pause = 100;
    } catch {
      // The daemon is away: it is looked for again, ever more seldom.
      await delay(pause, undefined, { signal }).catch(() => {});
      pause = Math.min(pause * 2, longestPauseMs);
    }
  }
}

function tell(pi: Pi, events: readonly InboxEvent[], isWorker: boolean): void {
  const urgent = events.filter((event) => isUrgent(event, isWorker));
  const rest = events.filter((event) => !isUrgent(event, isWorker));
  send(pi, rest, { deliverAs: "nextTurn" });
  send(pi, urgent, { triggerTurn: true, deliverAs: "followUp" });
}

/** Who waits for what: a claim is no reason for a turn, and a worker does not mind the board. */
function isUrgent({ type }: InboxEvent, isWorker: boolean): boolean {
  if (type === "task_claimed") return false;
  return !isWorker || type === "thread_message";
}

function send(pi: Pi, events: readonly InboxEvent[], options: Parameters<Pi["sendMessage"]>[1]): void {
  if (events.length === 0) return;
  const details = { cursors: events.map(({ cursor }) => cursor) };
  pi.sendMessage({ customType: messageType, content: events.map(lineOf).join("\n"), display: true, details }, options);
}

/** One line, and where to read more: bodies are read on demand. */
export function lineOf({ type, actor = "somebody", taskId, threadId, summary = "" }: InboxEvent): string {
  const where = threadId === undefined ? "" : ` (team_threads_read_tail ${threadId})`;
  if (type === "thread_message") return `TEAM: ${actor} in ${threadId}: ${summary}${where}`;
  if (type === "worker_news") return `TEAM: ${summary}${where}`;
  return `TEAM: ${taskId} ${type.replace("task_", "")} by ${actor}: ${summary}`;
}

function toldBefore(entries: readonly object[]): Set<number> {
  const cursors = entries.flatMap((entry) => {
    if (!("customType" in entry) || entry.customType !== messageType || !("details" in entry)) return [];
    return (entry.details as { cursors?: readonly number[] } | undefined)?.cursors ?? [];
  });
  return new Set(cursors);
}
