import type { End } from "@paneward/sdk";
import { isShell } from "../../agents/registry.ts";
import { questionWords } from "../../model/agents/question-words.ts";
import { afterLoss } from "../../model/lost.ts";
import type { AgentRecord, PanePlace, TaskRecord, TerminalRecord } from "../../model/records.ts";
import type { StatusReason } from "../../model/status.ts";
import { agentIn, agentKind } from "../agent-kind.ts";
import type { Attention } from "../attention/attention.ts";
import { judgeTask, judgeTerminal } from "../attention/judge-status.ts";
import { isLeftByItsHook, restoredEvidence } from "../attention/restored-evidence.ts";
import type { PlaceIndex } from "../places.ts";
import type { Writer } from "../ports.ts";
import type { VerdictDeps } from "../questions/apply-verdict.ts";
import { applyVerdict } from "../questions/apply-verdict.ts";
import type { World } from "../world.ts";

export interface BookDeps extends World, VerdictDeps {
  readonly attention: Attention;
  readonly terminalPlaces: PlaceIndex;
}

/** Records what becomes of terminals: each change with its event, in one write. */
export class TerminalBook {
  readonly #deps: BookDeps;
  /** The last reported status of each terminal, so that only changes become events. */
  readonly #lastReported = new Map<string, LastReport>();

  constructor(deps: BookDeps) {
    this.#deps = deps;
    deps.attention.onChange((answer) => {
      applyVerdict(deps, answer);
      this.#reportStatus(answer.terminal);
    });
  }

  /** The program was just started. */
  started(record: TerminalRecord, place: PanePlace, restarted: boolean, resumed?: AgentRecord): TerminalRecord {
    return this.startedTogether([{ record, place, restarted, resumed }])[0] as TerminalRecord;
  }

  startedTogether(starts: readonly Start[]): readonly TerminalRecord[] {
    const startedAt = this.#deps.clock.now();
    const { boot } = this.#deps.machine;
    const running = starts.map((start) => ({ ...start, record: runningSince(startedAt, boot, start) }));
    for (const { record, place } of running) {
      this.#lastReported.set(record.id, reportOf(record.lastReported));
      this.#deps.terminalPlaces.add(place, record.id);
    }
    this.#deps.store.keep((writer) => {
      for (const { record, restarted } of running) {
        writer.putTerminal(record);
        const { argv, cwd } = record;
        if (record.task === undefined) writer.append("terminal_opened", { ...nameOf(record), argv, cwd, restarted });
        else this.#taskStarted(writer, record);
      }
    });
    for (const { record, resumed } of running) this.#agentStarted(record, resumed);
    return running.map(({ record }) => record);
  }

  /** The program has been running since before the daemon started: nothing to report. */
  found(record: TerminalRecord, place: PanePlace): void {
    const { attention, questions, agents, store, clock } = this.#deps;
    const agent = agents.of(record.id);
    const question = questions.of(record.id);
    attention.started(record, agentIn(store, record), restoredEvidence(clock, question, agent, record.lastReported));
    if (question && isLeftByItsHook(question)) questions.close(record.id, "the daemon ended while its hook waited");
    // The daemon may have been killed between the question's write and the agent's.
    if (question?.state === "open" && agent && agent.endedAt === undefined && agent.state !== "awaiting_input") {
      const text = questionWords(question);
      agents.said(agent.id, { actor: "agent", intent: "question", way: "seen", text, question: question.id });
    }
    this.#lastReported.set(record.id, reportOf(record.lastReported ?? this.#judge(record)));
    this.#deps.terminalPlaces.add(place, record.id);
    this.#reportStatus(record.id);
  }

  /** The task is done: that and its new status are one change, whether its program runs or not. */
  completed(task: TaskRecord, by: string): TaskRecord {
    const { store, clock } = this.#deps;
    const { status: before } = judgeTask(this.#deps, task);
    const completed: TaskRecord = { ...task, completedAt: clock.now() };
    const now = judgeTask(this.#deps, completed);
    const terminal = task.terminal === undefined ? undefined : store.terminal(task.terminal);
    const of = { task: task.id, slug: task.slug };
    store.write((writer) => {
      writer.putTask(completed);
      if (terminal) writer.putTerminal({ ...terminal, lastReported: now });
      writer.append("task_completed", { ...of, by });
      writer.append("task_status_changed", { ...of, ...now, before });
    });
    if (terminal) this.#lastReported.set(terminal.id, reportOf(now));
    return completed;
  }

  /** The program ended. Recorded once, unless `again` says that the end is a different one now. */
  ended(id: string, end: End, again = false): void {
    this.#end(id, end, again, false);
  }

  /** The pane vanished while its program ran, and Paneward did not close it. */
  disappeared(id: string, by: string): void {
    this.#end(id, { kind: "stopped", by }, false, true);
  }

  #end(id: string, end: End, again: boolean, disappeared: boolean): void {
    const { store, attention, clock } = this.#deps;
    const current = store.terminal(id);
    if (!current || (current.phase === "ended" && !again)) return;
    attention.forget(id);
    if (current.place) this.leave(current.place);
    const { stopAskedBy: _by, ...rest } = current;
    const now = clock.now();
    const over: TerminalRecord = { ...rest, phase: "ended", end, endedAt: now };
    const ended = end.kind === "lost" ? afterLoss(over, now) : over;
    store.keep((writer) => {
      writer.putTerminal(ended);
      this.#appendEnd(writer, ended, end, disappeared);
    });
    this.#agentEnded(id, `the program ${end.kind === "exited" ? `exited with code ${end.code}` : `was ${end.kind}`}`);
    this.#lastReported.set(id, reportOf(this.#judge(ended)));
  }

  /** The pane is about to run something else: nothing about the old program is reported any more. */
  leave(place: PanePlace): void {
    this.#deps.terminalPlaces.leave(place);
  }

  forget(record: TerminalRecord): void {
    this.#deps.attention.forget(record.id);
    this.#agentEnded(record.id, "the terminal was removed");
    this.#lastReported.delete(record.id);
    if (record.place) this.#deps.terminalPlaces.remove(record.place);
  }

  #agentStarted(running: TerminalRecord, resumed: AgentRecord | undefined): void {
    const { store, agents, attention, questions } = this.#deps;
    if (resumed) {
      questions.close(running.id, "the program was started again");
      agents.resume(resumed.id, running);
      attention.started(running, agentIn(store, running));
      return;
    }
    this.#agentEnded(running.id, "the program was started again");
    const kind = agentKind(store, running);
    const prompt = running.task === undefined ? undefined : store.task(running.task)?.text;
    if (kind !== undefined) agents.began(running, kind, false, isShell(kind) ? undefined : prompt);
    attention.started(running, agentIn(store, running));
  }

  #agentEnded(terminal: string, reason: string): void {
    const { questions, agents } = this.#deps;
    questions.close(terminal, reason);
    const agent = agents.of(terminal);
    if (agent) agents.ended(agent, reason);
  }

  #taskStarted(writer: Writer, running: TerminalRecord): void {
    const task = this.#deps.store.task(running.task ?? 0);
    if (!task) return;
    const { completedAt: _completed, ...rest } = task;
    writer.putTask({ ...rest, draft: false, terminal: running.id });
    writer.append("task_started", { task: task.id, slug: task.slug, terminal: running.id });
  }

  #appendEnd(writer: Writer, record: TerminalRecord, end: End, disappeared: boolean): void {
    const task = record.task === undefined ? undefined : this.#deps.store.task(record.task);
    if (!task) {
      writer.append("terminal_closed", { ...nameOf(record), end });
      return;
    }
    const of = { task: task.id, slug: task.slug };
    if (disappeared) writer.append("task_disappeared", of);
    if (end.kind === "stopped") writer.append("task_stopped", { ...of, by: end.by });
    else if (end.kind === "lost") writer.append("task_lost", { ...of, reason: end.reason });
    else writer.append("task_exited", { ...of, end });
  }

  // A new status, or the same status with a new reason.
  #reportStatus(id: string): void {
    const { store } = this.#deps;
    const record = store.terminal(id);
    if (record?.phase !== "running") return;
    const { status, why } = this.#judge(record);
    const before = this.#lastReported.get(id);
    const now = reportOf({ status, why });
    if (before === undefined || (before.status === status && before.detail === now.detail)) return;
    this.#lastReported.set(id, now);
    const task = record.task === undefined ? undefined : store.task(record.task);
    store.keep((writer) => {
      writer.putTerminal({ ...record, lastReported: { status, why } });
      const change = { status, before: before.status, why };
      if (task) writer.append("task_status_changed", { task: task.id, slug: task.slug, ...change });
      else writer.append("terminal_status_changed", { ...nameOf(record), ...change });
    });
  }

  #judge(record: TerminalRecord): StatusReason {
    const task = record.task === undefined ? undefined : this.#deps.store.task(record.task);
    return task ? judgeTask(this.#deps, task) : judgeTerminal(this.#deps, record);
  }
}

/** A program that was just started, in a terminal of which this was known. */
export interface Start {
  readonly record: TerminalRecord;
  readonly place: PanePlace;
  readonly restarted: boolean;
  /** The agent that resumes its conversation in it. */
  readonly resumed?: AgentRecord | undefined;
}

function runningSince(startedAt: number, boot: string | undefined, { record, place }: Start) {
  const { end: _end, endedAt: _endedAt, stopAskedBy: _by, restoring, revival, held: _held, ...before } = record;
  // A start that a person asked for begins a new count.
  const isRevival = revival !== undefined && revival.at === restoring?.at;
  const rest = { ...before, ...(isRevival ? { revival } : {}), ...(boot === undefined ? {} : { boot }) };
  const why = { source: "start", rule: "it was just started", since: startedAt };
  const lastReported = { status: "Running", why } as const;
  return { ...rest, place, phase: "running", startedAt, lastReported } satisfies TerminalRecord;
}

interface LastReport {
  readonly status: StatusReason["status"];
  readonly detail: string | undefined;
}

function reportOf({ status, why }: StatusReason): LastReport {
  return { status, detail: why.detail };
}

function nameOf({ id, name, task }: TerminalRecord) {
  return { terminal: id, name, ...(task === undefined ? {} : { task }) };
}
