import type { End } from "@paneward/sdk";
import { questionWords } from "../../model/agents/question-words.ts";
import type { AgentRecord, PanePlace, TerminalRecord } from "../../model/records.ts";
import type { Judged } from "../../model/status.ts";
import { agentIn, agentKind } from "../agent-kind.ts";
import { knownBefore } from "../attention/restored-evidence.ts";
import { judgeTask, judgeTerminal } from "../operations/views.ts";
import type { Writer } from "../ports.ts";
import { actOn } from "../questions/apply-verdict.ts";
import type { Runtime } from "../world.ts";

/** Writes down what became of terminals. Each change is one event, told when it is kept. */
export class TerminalBook {
  readonly #rt: Runtime;
  /** What was told last of each terminal, so that only changes are told. */
  readonly #told = new Map<string, Told>();
  /** Running terminals by where they run: output comes often, and must find its terminal without a query. */
  readonly #byPlace = new Map<string, string>();

  constructor(rt: Runtime) {
    this.#rt = rt;
    rt.attention.onChange((answer) => {
      actOn(rt, answer);
      this.#tellStatus(answer.terminal);
    });
  }

  idAt(place: PanePlace): string | undefined {
    return this.#byPlace.get(keyOf(place));
  }

  /** The program runs, as we started it. */
  started(record: TerminalRecord, place: PanePlace, restarted: boolean, goesOn?: AgentRecord): TerminalRecord {
    const { store, clock } = this.#rt;
    const { end: _end, endedAt: _endedAt, stopAskedBy: _by, ...rest } = record;
    const startedAt = clock.now();
    const why = { source: "start", rule: "it was just started", since: startedAt };
    const told = { status: "Running", why } as const;
    const running: TerminalRecord = { ...rest, place, phase: "running", startedAt, told };
    this.#told.set(running.id, toldOf(told));
    this.#byPlace.set(keyOf(place), running.id);
    store.write((writer) => {
      writer.putTerminal(running);
      const { argv, cwd } = running;
      if (running.task === undefined) writer.append("terminal_opened", { ...nameOf(running), argv, cwd, restarted });
      else this.#taskStarted(writer, running);
    });
    this.#agentStarted(running, goesOn);
    return running;
  }

  /** The program runs, as it did before the daemon was away: no news. */
  found(record: TerminalRecord, place: PanePlace): void {
    const { attention, questions, agents, store } = this.#rt;
    const agent = agents.of(record.id);
    const question = questions.of(record.id);
    attention.started(record, agentIn(store, record), knownBefore(question, agent, record.told));
    // The daemon may have been killed between the two.
    if (question?.state === "open" && agent && agent.endedAt === undefined && agent.state !== "awaiting_input") {
      const text = questionWords(question);
      agents.said(agent.id, { actor: "agent", intent: "question", way: "seen", text, question: question.id });
    }
    this.#told.set(record.id, toldOf(record.told ?? this.#judge(record)));
    this.#byPlace.set(keyOf(place), record.id);
    this.#tellStatus(record.id);
  }

  /** The program ended. Told once: what is ended stays so, unless `again` says that its end is another one now. */
  ended(id: string, end: End, again = false): void {
    const { store, attention, clock } = this.#rt;
    const current = store.terminal(id);
    if (!current || (current.phase === "ended" && !again)) return;
    attention.forget(id);
    if (current.place) this.#byPlace.delete(keyOf(current.place));
    const { stopAskedBy: _by, ...rest } = current;
    const ended: TerminalRecord = { ...rest, phase: "ended", end, endedAt: clock.now() };
    store.write((writer) => {
      writer.putTerminal(ended);
      this.#tellEnd(writer, ended, end);
    });
    this.#agentEnded(id, `the program ${end.kind === "exited" ? `exited with code ${end.code}` : `was ${end.kind}`}`);
    this.#told.set(id, toldOf(this.#judge(ended)));
  }

  /** The pane is about to run something else: what happens to the old program is no news. */
  leave(place: PanePlace): void {
    this.#byPlace.delete(keyOf(place));
  }

  forget(record: TerminalRecord): void {
    this.#rt.attention.forget(record.id);
    this.#agentEnded(record.id, "the terminal was removed");
    this.#told.delete(record.id);
    if (record.place) this.leave(record.place);
  }

  #agentStarted(running: TerminalRecord, goesOn: AgentRecord | undefined): void {
    const { store, agents, attention, questions } = this.#rt;
    if (goesOn) {
      questions.close(running.id, "the program was started again");
      agents.goesOn(goesOn.id, running);
      attention.started(running, agentIn(store, running));
      return;
    }
    this.#agentEnded(running.id, "the program was started again");
    const kind = agentKind(store, running);
    const prompt = running.task === undefined ? undefined : store.task(running.task)?.text;
    if (kind !== undefined) agents.began(running, kind, false, kind === "shell" ? undefined : prompt);
    attention.started(running, agentIn(store, running));
  }

  #agentEnded(terminal: string, reason: string): void {
    const { questions, agents } = this.#rt;
    questions.close(terminal, reason);
    const agent = agents.of(terminal);
    if (agent) agents.ended(agent, reason);
  }

  #taskStarted(writer: Writer, running: TerminalRecord): void {
    const task = this.#rt.store.task(running.task ?? 0);
    if (!task) return;
    const { completedAt: _completed, ...rest } = task;
    writer.putTask({ ...rest, draft: false, terminal: running.id });
    writer.append("task_started", { task: task.id, slug: task.slug, terminal: running.id });
  }

  #tellEnd(writer: Writer, record: TerminalRecord, end: End): void {
    const task = record.task === undefined ? undefined : this.#rt.store.task(record.task);
    if (!task) {
      writer.append("terminal_closed", { ...nameOf(record), end });
      return;
    }
    const of = { task: task.id, slug: task.slug };
    if (end.kind === "stopped") writer.append("task_stopped", { ...of, by: end.by });
    else if (end.kind === "lost") writer.append("task_lost", { ...of, reason: end.reason });
    else writer.append("task_exited", { ...of, end });
  }

  // Working and idle, waiting and not; and that it can go no further, also when the status stays.
  #tellStatus(id: string): void {
    const { store } = this.#rt;
    const record = store.terminal(id);
    if (record?.phase !== "running") return;
    const { status, why } = this.#judge(record);
    const before = this.#told.get(id);
    const now = toldOf({ status, why });
    if (before === undefined || (before.status === status && before.blocked === now.blocked)) return;
    this.#told.set(id, now);
    const task = record.task === undefined ? undefined : store.task(record.task);
    store.write((writer) => {
      writer.putTerminal({ ...record, told: { status, why } });
      const change = { status, before: before.status, why };
      if (task) writer.append("task_status_changed", { task: task.id, slug: task.slug, ...change });
      else writer.append("terminal_status_changed", { ...nameOf(record), ...change });
    });
  }

  #judge(record: TerminalRecord): Judged {
    const task = record.task === undefined ? undefined : this.#rt.store.task(record.task);
    return task ? judgeTask(this.#rt, task) : judgeTerminal(this.#rt, record);
  }
}

interface Told {
  readonly status: Judged["status"];
  readonly blocked: string | undefined;
}

function toldOf({ status, why }: Judged): Told {
  return { status, blocked: why.detail === "background_work" ? undefined : why.detail };
}

export function keyOf({ server, pane, pid }: PanePlace): string {
  return `${server}/${pane}/${pid}`;
}

function nameOf({ id, name, task }: TerminalRecord) {
  return { terminal: id, name, ...(task === undefined ? {} : { task }) };
}
