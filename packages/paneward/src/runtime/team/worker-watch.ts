import type { PanewardEvent } from "@paneward/sdk";
import type { StatusReason } from "../../model/status.ts";
import { newsOf, type Observation, type Rest, type WorkerRecord } from "../../model/team/worker.ts";
import type { Attention } from "../attention/attention.ts";
import { judgeTerminal } from "../attention/judge-status.ts";
import type { Cancel } from "../ports.ts";
import { steadyTime } from "../steady-time.ts";
import type { World } from "../world.ts";
import { addMessage, summaryOf } from "./conversations.ts";
import { publicWorker } from "./workers.ts";

export interface WorkerWatchDeps extends Pick<World, "store" | "clock" | "log" | "configFor"> {
  readonly attention: Pick<Attention, "attention" | "lastOutputAt">;
}

/**
 * Watches workers' terminals. An end, a question or a silence becomes one message in the worker's thread and one notice
 * for its leader, written in the same transaction as the mark that it was reported.
 */
export class WorkerWatch {
  readonly #deps: WorkerWatchDeps;
  /** Terminals that rest now, with the monotonic time at which that counts as silence. */
  readonly #idle = new Map<string, { readonly silentAt: number; readonly cancel: Cancel }>();
  readonly #unsubscribe: () => void;
  #isClosed = false;

  constructor(deps: WorkerWatchDeps) {
    this.#deps = deps;
    // Deferred, so that other listeners get these events before the ones that follow from them.
    this.#unsubscribe = deps.store.onEvents((events) => setImmediate(() => this.#onEvents(events)));
  }

  /** Reports what happened while the daemon was away. */
  catchUp(): void {
    for (const worker of this.#deps.store.team.workers()) {
      const terminal = this.#deps.store.terminal(worker.terminal);
      if (terminal?.phase === "ended" && terminal.end) this.#report(worker, { kind: "ended", end: terminal.end });
      else if (terminal === undefined) this.#report(worker, { kind: "ended", end: { kind: "unknown" } });
      else this.#awaitSilence(worker.terminal);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#unsubscribe();
    for (const id of [...this.#idle.keys()]) this.#forgetIdle(id);
  }

  #onEvents(events: readonly PanewardEvent[]): void {
    if (this.#isClosed) return;
    for (const event of events) {
      try {
        this.#onEvent(event);
      } catch (error) {
        this.#deps.log.error("a worker's news could not be reported", { event: event.seq, error: String(error) });
      }
    }
  }

  #onEvent(event: PanewardEvent): void {
    if (event.type === "terminal_closed") this.#reportAt(event.data.terminal, { kind: "ended", end: event.data.end });
    else if (event.type === "question_opened") {
      this.#reportAt(event.data.question.terminal, { kind: "asks", question: event.data.question });
    } else if (event.type === "question_closed") {
      this.#reportAt(event.data.question.terminal, { kind: "asks_no_more" });
      this.#awaitSilence(event.data.question.terminal);
    } else if (event.type === "terminal_status_changed") {
      const { terminal, status, before } = event.data;
      if (status !== "Idle") this.#forgetIdle(terminal);
      // A screen that is understood at last is no event of its own: what ends then was work.
      if (status === "Running" || before === "Running") this.#reportAt(terminal, { kind: "works" });
      if (status === "Idle" || status === "Running") this.#awaitSilence(terminal);
    } else if (event.type === "team_worker_changed" && event.data.change === "started") {
      this.#awaitSilence(event.data.worker.terminal);
    }
  }

  #reportAt(terminal: string, observation: Observation): void {
    const worker = this.#workerIn(terminal);
    if (worker) this.#report(worker, observation);
  }

  #report(worker: WorkerRecord, observation: Observation): void {
    const deps = this.#deps;
    const news = newsOf(worker, observation, deps.clock.now());
    if (!news) return;
    const { text } = news;
    deps.store.keep((writer) => {
      writer.team.putWorker(news.worker);
      writer.append("team_worker_changed", { worker: publicWorker(news.worker), change: observation.kind });
      if (text === undefined) return;
      const { threadId, teamId, leader, agentId } = news.worker;
      const thread = threadId === null ? undefined : deps.store.team.thread(threadId);
      if (thread) addMessage(deps, writer, thread, "paneward", text);
      writer.team.addInboxEvent({
        type: "worker_news",
        teamId,
        agentId: leader,
        actor: agentId,
        summary: summaryOf(text),
        ...(threadId === null ? {} : { threadId }),
      });
    });
  }

  /**
   * Reports silence once the terminal has rested for the configured time: it is idle, or it prints nothing and shows
   * nothing from which its agent's state could be read.
   */
  #awaitSilence(id: string): void {
    this.#checkSilence(id).catch((error: unknown) => {
      this.#deps.log.error("a worker's silence could not be reported", { terminal: id, error: String(error) });
    });
  }

  async #checkSilence(id: string): Promise<void> {
    if (this.#workerIn(id)?.state !== "working") return;
    const { config } = await this.#deps.configFor();
    const worker = this.#workerIn(id);
    const terminal = this.#deps.store.terminal(id);
    if (this.#isClosed || worker?.state !== "working" || terminal?.phase !== "running") return;
    const { status, why } = judgeTerminal(this.#deps, terminal);
    const how = restOf(status, why);
    if (how === undefined) return this.#forgetIdle(id);
    const { clock, attention } = this.#deps;
    const since = how === "idle" ? why.since : Math.max(why.since, attention.lastOutputAt(id) ?? 0);
    const restsAt = steadyTime(clock, Math.max(since, worker.since));
    // Dates move when the machine's clock is set. A deadline that was computed before stays.
    const before = how === "idle" ? (this.#idle.get(id)?.silentAt ?? Infinity) : Infinity;
    const silentAt = Math.min(restsAt + config.team.silence_seconds * 1_000, before);
    this.#forgetIdle(id);
    const left = silentAt - clock.monotonic();
    if (left <= 0) return this.#reportAt(id, { kind: "silent", since, how });
    this.#idle.set(id, { silentAt, cancel: clock.timer(Math.ceil(left), () => this.#awaitSilence(id)) });
  }

  #forgetIdle(id: string): void {
    this.#idle.get(id)?.cancel();
    this.#idle.delete(id);
  }

  #workerIn(terminal: string): WorkerRecord | undefined {
    return this.#deps.store.team.workers().find((worker) => worker.terminal === terminal);
  }
}

/** How a terminal rests, if it does; one whose agent starts may still print. */
function restOf(status: StatusReason["status"], why: StatusReason["why"]): Rest | undefined {
  if (status === "Idle") return "idle";
  if (status !== "Running") return undefined;
  if (why.detail === "stuck") return "stuck";
  return why.source === "start" ? "unread" : undefined;
}
