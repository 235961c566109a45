import type { Task, Terminal, WorkAmount } from "@paneward/sdk";
import { taskSessionName } from "@paneward/sdk";
import type { TaskRecord, TerminalRecord } from "../../model/records.ts";
import { type Judged, taskStatus, terminalStatus } from "../../model/status.ts";
import type { Runtime } from "../world.ts";

/** A terminal as doors show it. */
export function terminalView(rt: Runtime, record: TerminalRecord): Terminal {
  const { status, why } = judgeTerminal(rt, record);
  const lastOutputAt = rt.attention.lastOutputAt(record.id);
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
    ...(record.place === undefined ? {} : { pane: record.place.pane, pid: record.place.pid }),
    ...(record.end === undefined ? {} : { end: record.end }),
    ...(record.startedAt === undefined ? {} : { startedAt: record.startedAt }),
    ...(record.endedAt === undefined ? {} : { endedAt: record.endedAt }),
    ...(lastOutputAt === undefined ? {} : { lastOutputAt }),
    ...agentAndQuestion(rt, record.id, "agent"),
  };
}

/** A task as doors show it. */
export function taskView(rt: Runtime, record: TaskRecord, work?: WorkAmount): Task {
  const terminal = record.terminal === undefined ? undefined : rt.store.terminal(record.terminal);
  const { status, why } = judgeTask(rt, record);
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
    ...(terminal === undefined ? {} : agentAndQuestion(rt, terminal.id, "agentId")),
  };
}

function agentAndQuestion<Name extends string>(rt: Runtime, terminal: string, name: Name) {
  const agent = rt.agents.of(terminal);
  const question = rt.questions.of(terminal);
  return {
    ...(agent === undefined ? {} : ({ [name]: agent.id } as Record<Name, string>)),
    ...(question === undefined ? {} : { question }),
  };
}

export function judgeTerminal(rt: Runtime, record: TerminalRecord): Judged {
  return terminalStatus(record, rt.attention.attention(record.id));
}

export function judgeTask(rt: Runtime, record: TaskRecord): Judged {
  const terminal = record.terminal === undefined ? undefined : rt.store.terminal(record.terminal);
  return taskStatus(record, terminal, terminal && rt.attention.attention(terminal.id));
}
