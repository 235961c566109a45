import { randomUUID } from "node:crypto";
import { type Team, type Thread, type ThreadMessage, teamSchemaVersion } from "@paneward/sdk";
import { TeamFailure } from "../../model/team/failure.ts";
import type { Writer } from "../ports.ts";
import { requireTask } from "./board.ts";
import { audit, requireAgentName, type TeamPorts } from "./members.ts";

/** Threads: messages between agents and people. */

export interface NewThread {
  readonly title?: string;
  readonly participants?: readonly string[];
  readonly taskId?: string;
  readonly by: string;
}

export function startThread(ports: TeamPorts, writer: Writer, team: Team, wanted: NewThread): Thread {
  const { title = "Thread", participants = [], taskId, by } = wanted;
  for (const name of participants) requireAgentName(name);
  if (taskId !== undefined) requireTask(ports, team, taskId);
  const thread: Thread = {
    schemaVersion: teamSchemaVersion,
    id: writer.team.nextThreadId(),
    teamId: team.teamId,
    title,
    participants: [...new Set(withoutInbox.has(by) ? participants : [by, ...participants])],
    taskId: taskId ?? null,
    startedBy: by,
    createdAt: new Date(ports.clock.now()).toISOString(),
    lastMessageAt: null,
    messages: 0,
  };
  writer.team.putThread(thread);
  writer.append("thread_started", { thread });
  audit(ports, writer, team.teamId, by, "thread_started", thread.id);
  return thread;
}

interface Told {
  /** Participants who get no notice. */
  readonly except?: readonly string[];
  /** The notice starts no turn. */
  readonly quiet?: boolean;
}

/** Adds a message. Its author joins the thread; the other participants get a notice in their inboxes. */
export function postMessage(
  ports: TeamPorts,
  writer: Writer,
  thread: Thread,
  from: string,
  body: string,
  { except = [], quiet = false }: Told = {},
): ThreadMessage {
  const message = addMessage(ports, writer, thread, from, body);
  const { id, teamId, participants } = thread;
  for (const agent of participants.filter((one) => one !== from && !except.includes(one))) {
    const notice = { type: "thread_message", teamId, agentId: agent, threadId: id, actor: from } as const;
    writer.team.addInboxEvent({ ...notice, summary: summaryOf(body), ...(quiet ? { quiet } : {}) });
  }
  const worker = ports.store.team.workers(teamId).find(({ agentId }) => agentId === from);
  if (worker) writer.team.putWorker({ ...worker, spokeAt: ports.clock.now() });
  return message;
}

/** Adds a message without notices; the caller adds those that are needed. */
export function addMessage(
  ports: TeamPorts,
  writer: Writer,
  thread: Thread,
  from: string,
  body: string,
): ThreadMessage {
  const ts = new Date(ports.clock.now()).toISOString();
  const { id, teamId, title, participants } = thread;
  const message = {
    schemaVersion: teamSchemaVersion,
    id: `msg-${randomUUID()}`,
    threadId: id,
    from,
    body,
    ts,
  } as const;
  writer.team.addMessage(message);
  writer.team.putThread({
    ...thread,
    participants: withoutInbox.has(from) || participants.includes(from) ? participants : [...participants, from],
    lastMessageAt: ts,
    messages: thread.messages + 1,
  });
  writer.append("thread_message", {
    thread: id,
    team: teamId,
    title,
    message: message.id,
    from,
    summary: summaryOf(body),
  });
  audit(ports, writer, teamId, from, "thread_message", id);
  return message;
}

export function linkThread(
  ports: TeamPorts,
  writer: Writer,
  team: Team,
  thread: Thread,
  taskId: string,
  by: string,
): Thread {
  const linked = { ...thread, taskId: requireTask(ports, team, taskId).id };
  writer.team.putThread(linked);
  audit(ports, writer, team.teamId, by, "thread_linked_task", thread.id);
  return linked;
}

export function requireThread(ports: TeamPorts, id: string, team?: Team): Thread {
  const thread = ports.store.team.thread(id);
  if (thread && (team === undefined || thread.teamId === team.teamId)) return thread;
  throw new TeamFailure("THREAD_NOT_FOUND", `there is no thread ${id}`);
}

/** Threads whose id, title, task, participants or messages contain the text. */
export function findThreads(ports: TeamPorts, team: string | undefined, text: string): readonly Thread[] {
  const threads = ports.store.team.threads().filter(({ teamId }) => team === undefined || teamId === team);
  if (text === "") return threads;
  const byMessage = ports.store.team.threadsSaying(text);
  const wanted = text.toLowerCase();
  return threads.filter(
    ({ id, title, taskId, participants }) =>
      byMessage.has(id) ||
      [id, title, taskId ?? "", ...participants].some((part) => part.toLowerCase().includes(wanted)),
  );
}

/** Authors without an inbox: the daemon, people, models outside of the team. */
const withoutInbox: ReadonlySet<string> = new Set(["system", "paneward", "user", "mcp"]);

export function summaryOf(body: string): string {
  return [...body.replace(/\s+/g, " ").trim()].slice(0, 120).join("");
}
