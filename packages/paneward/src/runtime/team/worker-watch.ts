import type { PanewardEvent } from "@paneward/sdk";
import { newsOf, type Seen, type WorkerRecord } from "../../model/team/worker.ts";
import type { Attention } from "../attention/attention.ts";
import { judgeTerminal } from "../attention/judge-status.ts";
import type { Cancel } from "../ports.ts";
import type { World } from "../world.ts";
import { addMessage, summaryOf } from "./conversations.ts";
import { shown } from "./workers.ts";

export interface WorkerWatchDeps extends World {
  readonly attention: Attention;
}

/**
 * Watches workers' terminals. An end, a question or a silence becomes one message in the worker's thread and one notice
 * for its leader, written in the same transaction as the mark that it was reported.
 */
export class WorkerWatch {
  readonly #deps: WorkerWatchDeps;
  readonly #timers = new Map<string, Cancel>();
  readonly #stop: () => void;

  constructor(deps: WorkerWatchDeps) {
    this.#deps = deps;
    // Deferred, so that other listeners get these events before the ones that follow from them.
    this.#stop = deps.store.onEvents((events) => setImmediate(() => this.#hear(events)));
  }

  /** Reports what happened while the daemon was away. */
  catchUp(): void {
    for (const worker of this.#deps.store.team.workers()) {
      const terminal = this.#deps.store.terminal(worker.terminal);
      if (terminal?.phase === "ended" && terminal.end) this.#see(worker, { kind: "ended", end: terminal.end });
      else if (terminal === undefined) this.#see(worker, { kind: "ended", end: { kind: "unknown" } });
      else this.#lookForSilence(worker.terminal);
    }
  }

  close(): void {
    this.#stop();
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }

  #hear(events: readonly PanewardEvent[]): void {
    for (const event of events) {
      try {
        this.#hearOne(event);
      } catch (error) {
        this.#deps.log.error("a worker's news could not be reported", { event: event.seq, error: String(error) });
      }
    }
  }

  #hearOne(event: PanewardEvent): void {
    if (event.type === "terminal_closed") this.#seeAt(event.data.terminal, { kind: "ended", end: event.data.end });
    else if (event.type === "question_opened") {
      this.#seeAt(event.data.question.terminal, { kind: "asks", question: event.data.question });
    } else if (event.type === "question_closed") {
      this.#seeAt(event.data.question.terminal, { kind: "asks_no_more" });
    } else if (event.type === "terminal_status_changed") {
      if (event.data.status === "Running") this.#seeAt(event.data.terminal, { kind: "works" });
      if (event.data.status === "Idle") this.#lookForSilence(event.data.terminal);
    } else if (event.type === "team_worker_changed" && event.data.change === "started") {
      this.#lookForSilence(event.data.worker.terminal);
    }
  }

  #seeAt(terminal: string, seen: Seen): void {
    const worker = this.#workerIn(terminal);
    if (worker) this.#see(worker, seen);
  }

  #see(worker: WorkerRecord, seen: Seen): void {
    const deps = this.#deps;
    const news = newsOf(worker, seen, deps.clock.now());
    if (!news) return;
    const { text } = news;
    deps.store.write((writer) => {
      writer.team.putWorker(news.worker);
      writer.append("team_worker_changed", { worker: shown(news.worker), change: seen.kind });
      if (text === undefined) return;
      const { threadId, teamId, leader, agentId } = news.worker;
      const thread = threadId === null ? undefined : deps.store.team.thread(threadId);
      if (thread) addMessage(deps, writer, thread, "paneward", text);
      writer.team.addNotice({
        type: "worker_news",
        teamId,
        agentId: leader,
        actor: agentId,
        summary: summaryOf(text),
        ...(threadId === null ? {} : { threadId }),
      });
    });
  }

  // Reports silence once the terminal has been idle for the configured time.
  async #lookForSilence(id: string): Promise<void> {
    const worker = this.#workerIn(id);
    if (worker?.state !== "working") return;
    const { config } = await this.#deps.configFor();
    const terminal = this.#deps.store.terminal(id);
    if (terminal?.phase !== "running") return;
    const { status, why } = judgeTerminal(this.#deps, terminal);
    const silentAt = Math.max(why.since, worker.since) + config.team.silence_seconds * 1_000;
    const left = silentAt - this.#deps.clock.now();
    if (status === "Idle" && left <= 0) return this.#seeAt(id, { kind: "silent", since: why.since });
    this.#timers.get(id)?.();
    if (status !== "Idle") return;
    this.#timers.set(
      id,
      this.#deps.clock.timer(Math.max(left, 10), () => this.#lookForSilence(id)),
    );
  }

  #workerIn(terminal: string): WorkerRecord | undefined {
    return this.#deps.store.team.workers().find((worker) => worker.terminal === terminal);
  }
}
