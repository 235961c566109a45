import type { Task, Terminal, WorkAmount } from "@paneward/sdk";
import { taskSessionName } from "@paneward/sdk";
import type { TaskRecord, TerminalRecord } from "../../model/records.ts";
import type { AgentBook } from "../agents/agent-book.ts";
import { type Judging, judgeTask, judgeTerminal } from "../attention/judge-status.ts";
import type { QuestionBook } from "../questions/question-book.ts";
import { restorable } from "../tasks/restore.ts";
import { withRestore } from "./lost-words.ts";

/** What a view of a task or terminal is made from. */
export interface ViewDeps extends Judging {
  readonly questions: QuestionBook;
  readonly agents: AgentBook;
}

/** A terminal as doors show it. */
export function terminalView(deps: ViewDeps, record: TerminalRecord): Terminal {
  const restore = restorable(deps, record);
  const { status, why } = withRestore(judgeTerminal(deps, record), restore);
  const lastOutputAt = deps.attention.lastOutputAt(record.id);
  return {
    id: record.id,
    name: record.name,
    host: record.host,
    argv: [...record.argv],
    cwd: record.cwd,
    session: record.session,
    status,
    why,
    createdAt: record.createdAt,
    ...(record.task === undefined ? {} : { task: record.task }),
    ...(record.adopted ? { adopted: true } : {}),
    ...(record.keepRunning ? { keepRunning: true } : {}),
    ...(restore === undefined ? {} : { restore }),
    ...(record.place === undefined ? {} : { pane: record.place.pane, pid: record.place.pid }),
    ...(record.end === undefined ? {} : { end: record.end }),
    ...(record.startedAt === undefined ? {} : { startedAt: record.startedAt }),
    ...(record.endedAt === undefined ? {} : { endedAt: record.endedAt }),
    ...(lastOutputAt === undefined ? {} : { lastOutputAt }),
    ...agentAndQuestion(deps, record.id, "agent"),
  };
}

/** A task as doors show it. */
export function taskView(deps: ViewDeps, record: TaskRecord, work?: WorkAmount): Task {
  const terminal = record.terminal === undefined ? undefined : deps.store.terminal(record.terminal);
  const restore = terminal && restorable(deps, terminal);
  const { status, why } = withRestore(judgeTask(deps, record), restore);
  return {
    id: record.id,
    slug: record.slug,
    root: record.root,
    text: record.text,
    agent: record.agent,
    branch: record.branch,
    worktree: record.worktree,
    session: taskSessionName(record.id, record.slug),
    status,
    why,
    createdAt: record.createdAt,
    ...(record.base === undefined ? {} : { base: record.base }),
    ...(terminal === undefined ? {} : { terminal: terminal.id }),
    ...(terminal?.end === undefined ? {} : { end: terminal.end }),
    ...(terminal?.startedAt === undefined ? {} : { startedAt: terminal.startedAt }),
    ...(work === undefined ? {} : { work }),
    ...(restore === undefined ? {} : { restore }),
    ...(record.emptySubmodules === undefined ? {} : { emptySubmodules: [...record.emptySubmodules] }),
    ...(terminal === undefined ? {} : agentAndQuestion(deps, terminal.id, "agentId")),
  };
}

function agentAndQuestion<Name extends string>(deps: ViewDeps, terminal: string, name: Name) {
  const agent = deps.agents.of(terminal);
  const question = deps.questions.of(terminal);
  return {
    ...(agent === undefined ? {} : ({ [name]: agent.id } as Record<Name, string>)),
    ...(question === undefined ? {} : { question }),
  };
}
