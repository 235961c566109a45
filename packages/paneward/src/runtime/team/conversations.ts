import { randomUUID } from "node:crypto";
import { type Team, type Thread, type ThreadMessage, teamSchemaVersion } from "@paneward/sdk";
import { TeamFailure } from "../../model/team/failure.ts";
import type { Writer } from "../ports.ts";
import type { World } from "../world.ts";
import { requireTask } from "./board.ts";
import { audit, requireAgentName } from "./members.ts";

/** Threads: how results travel between agents and people. */

export interface NewThread {
  readonly title?: string;
  readonly participants?: readonly string[];
  readonly taskId?: string;
  readonly by: string;
}

export function startThread(world: World, writer: Writer, team: Team, wanted: NewThread): Thread {
  const { title = "Thread", participants = [], taskId, by } = wanted;
  for (const name of participants) requireAgentName(name);
  if (taskId !== undefined) requireTask(world, team, taskId);
  const thread: Thread = {
    schemaVersion: teamSchemaVersion,
    id: writer.team.nextThreadId(),
    teamId: team.teamId,
    title,
    participants: [...new Set(nobody.has(by) ? participants : [by, ...participants])],
    taskId: taskId ?? null,
    startedBy: by,
    createdAt: new Date(world.clock.now()).toISOString(),
    lastMessageAt: null,
    messages: 0,
  };
  writer.team.putThread(thread);
  writer.append("thread_started", { thread });
  audit(world, writer, team.teamId, by, "thread_started", thread.id);
  return thread;
}

/** Says something. Everybody else in the thread finds a notice in their inbox; whoever speaks is in the thread. */
export function postMessage(world: World, writer: Writer, thread: Thread, from: string, body: string): ThreadMessage {
  const message = addMessage(world, writer, thread, from, body);
  const { id, teamId, participants } = thread;
  for (const agent of participants.filter((one) => one !== from)) {
    const summary = summaryOf(body);
    writer.team.addNotice({ type: "thread_message", teamId, agentId: agent, threadId: id, actor: from, summary });
  }
  const worker = world.store.team.workers(teamId).find(({ agentId }) => agentId === from);
  if (worker) writer.team.putWorker({ ...worker, spokeAt: world.clock.now() });
  return message;
}

/** A message for which nobody finds a notice; the caller gives one to whom it concerns. */
export function addMessage(world: World, writer: Writer, thread: Thread, from: string, body: string): ThreadMessage {
  const ts = new Date(world.clock.now()).toISOString();
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
    participants: nobody.has(from) || participants.includes(from) ? participants : [...participants, from],
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
  audit(world, writer, teamId, from, "thread_message", id);
  return message;
}

export function linkThread(
  world: World,
  writer: Writer,
  team: Team,
  thread: Thread,
  taskId: string,
  by: string,
): Thread {
  const linked = { ...thread, taskId: requireTask(world, team, taskId).id };
  writer.team.putThread(linked);
  audit(world, writer, team.teamId, by, "thread_linked_task", thread.id);
  return linked;
}

export function requireThread(world: World, id: string, team?: Team): Thread {
  const thread = world.store.team.thread(id);
  if (thread && (team === undefined || thread.teamId === team.teamId)) return thread;
  throw new TeamFailure("THREAD_NOT_FOUND", `there is no thread ${id}`);
}

/** Threads whose title, task, participants or messages hold the text. */
export function findThreads(world: World, team: string | undefined, text: string): readonly Thread[] {
  const threads = world.store.team.threads().filter(({ teamId }) => team === undefined || teamId === team);
  if (text === "") return threads;
  const said = world.store.team.threadsSaying(text);
  const wanted = text.toLowerCase();
  return threads.filter(
    ({ id, title, taskId, participants }) =>
      said.has(id) || [id, title, taskId ?? "", ...participants].some((part) => part.toLowerCase().includes(wanted)),
  );
}

/** Names that are nobody who could be told: the daemon, people, models outside of the team. */
const nobody: ReadonlySet<string> = new Set(["system", "paneward", "user", "mcp"]);

export function summaryOf(body: string): string {
  return [...body.replace(/\s+/g, " ").trim()].slice(0, 120).join("");
}
