import { setTimeout as delay } from "node:timers/promises";
import type { InboxEvent } from "@paneward/sdk";
import type { Pi, PiContext } from "../pi/api.ts";
import { Outbox } from "../pi/outbox.ts";
import { isStale } from "../pi/stale.ts";
import type { Teamd } from "./teamd.ts";

interface Notices {
  readonly events: readonly InboxEvent[];
  readonly nextSince: string;
}

const messageType = "team-inbox";
const holdSeconds = 120;
const maxPauseMs = 5_000;
const staleEveryMs = 5_000;

/**
 * Follows this agent's inbox by long polling. A request with a cursor acknowledges everything before it, so the next
 * request waits until the news is in the conversation. News already there is not repeated.
 */
export class News {
  readonly outbox: Outbox<InboxEvent>;
  readonly #ctx: PiContext;
  readonly #teamd: Pick<Teamd, "get">;
  readonly #reached: () => Promise<void>;
  #arrived = () => {};

  /** `reached` is called whenever the team is reached after it was not. */
  constructor(
    pi: Pi,
    ctx: PiContext,
    teamd: Pick<Teamd, "get">,
    isWorker: boolean,
    reached: () => Promise<void> = async () => {},
  ) {
    this.#ctx = ctx;
    this.#reached = reached;
    this.#teamd = teamd;
    const wakes = (events: readonly InboxEvent[]) => events.some((event) => isUrgent(event, isWorker));
    this.outbox = new Outbox(pi, ctx, { write, wakes }, [], () => this.#arrived());
  }

  async follow(ending: AbortSignal): Promise<void> {
    const stale = new AbortController();
    const watch = setInterval(() => isStale(this.#ctx) && stale.abort(), staleEveryMs).unref();
    try {
      await this.#follow(AbortSignal.any([ending, stale.signal]));
    } finally {
      clearInterval(watch);
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const delivered = cursorsIn(this.#ctx.sessionManager.getEntries());
    let since = "seen";
    let isReached = false;
    for (let pause = 100; !signal.aborted; ) {
      try {
        if (!isReached) await this.#reached();
        isReached = true;
        const query = { since, wait: holdSeconds };
        const { events, nextSince } = await this.#teamd.get<Notices>("/v1/inbox", query, { signal });
        if (signal.aborted) return;
        const fresh = events.filter(({ cursor }) => !delivered.has(cursor));
        for (const { cursor } of events) delivered.add(cursor);
        await this.#deliver(fresh, signal);
        since = nextSince;
        pause = 100;
      } catch {
        if (isStale(this.#ctx)) return;
        isReached = false;
        // The daemon is unreachable: retry with increasing pauses.
        await delay(pause, undefined, { signal }).catch(() => {});
        pause = Math.min(pause * 2, maxPauseMs);
      }
    }
  }

  async #deliver(events: readonly InboxEvent[], signal: AbortSignal): Promise<void> {
    if (events.length === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#arrived = resolve;
    signal.addEventListener("abort", () => resolve(), { once: true });
    this.outbox.put(events);
    await promise;
  }
}

/** Whether an event starts a turn: a claim and what its author calls quiet do not, and workers ignore the board. */
function isUrgent({ type, quiet }: InboxEvent, isWorker: boolean): boolean {
  if (quiet || type === "task_claimed") return false;
  return !isWorker || type === "thread_message";
}

function write(events: readonly InboxEvent[], id: string) {
  const details = { id, cursors: events.map(({ cursor }) => cursor) };
  return { customType: messageType, content: events.map(lineOf).join("\n"), display: true, details };
}

/** One line with a reference; bodies are read on demand. */
export function lineOf({ type, actor = "someone", taskId, threadId, summary = "" }: InboxEvent): string {
  const where = threadId === undefined ? "" : ` (team_threads_read_tail ${threadId})`;
  if (type === "thread_message") return `TEAM: ${actor} in ${threadId}: ${summary}${where}`;
  if (type === "worker_news") return `TEAM: ${summary}${where}`;
  return `TEAM: ${taskId} ${type.replace("task_", "")} by ${actor}: ${summary}`;
}

function cursorsIn(entries: readonly object[]): Set<number> {
  const cursors = entries.flatMap((entry) => {
    if (!("customType" in entry) || entry.customType !== messageType || !("details" in entry)) return [];
    return (entry.details as { cursors?: readonly number[] } | undefined)?.cursors ?? [];
  });
  return new Set(cursors);
}
