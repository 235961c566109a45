import { agentNamed } from "../../agents/registry.ts";
import { canBeResumed } from "../../model/agents/record-path.ts";
import type { TaskRecord, TerminalRecord } from "../../model/records.ts";
import { failedAtOnceMs } from "../../model/timing.ts";
import type { AgentBook } from "../agents/agent-book.ts";
import type { Resumption } from "../terminals/bring-back.ts";
import type { Supervisor } from "../terminals/supervisor.ts";
import { type LaunchDeps, taskLaunch, type Variables } from "./task-launch.ts";
import { requireTrustedAgent, runsOwnAgent } from "./trust.ts";

export interface TaskDeps extends LaunchDeps {
  readonly agents: AgentBook;
  readonly supervisor: Supervisor;
}

/**
 * Runs a terminal's program again, a task's agent as the configuration says now. An agent resumes its conversation if that is
 * known.
 */
export async function restartTerminal(
  deps: TaskDeps,
  record: TerminalRecord,
  given: Variables = {},
): Promise<TerminalRecord> {
  const { again, resumed } = await planAgain(deps, record, given);
  return deps.supervisor.restart(again, resumed);
}

/** How a program would be run again. Starts nothing. */
export async function planAgain(
  deps: TaskDeps,
  record: TerminalRecord,
  given: Variables,
): Promise<{ readonly again: TerminalRecord; readonly resumed: Resumption | undefined }> {
  const moved = await deps.servers.again(record);
  const task = record.task === undefined ? undefined : deps.store.task(record.task);
  const again = task ? { ...moved, ...(await launchedAnew(deps, task, moved, given)) } : moved;
  return { again, resumed: await resumptionOf(deps, again, given) };
}

async function launchedAnew(deps: TaskDeps, task: TaskRecord, record: TerminalRecord, given: Variables) {
  const { argv, env } = await taskLaunch(deps, task, given, { server: deps.servers.addressOf(record) });
  return { argv, env: { ...env, PANEWARD_TERMINAL: record.id } };
}

/**
 * The same for a program that may run. An agent by a command of its repository is ended before the last check: while it
 * runs, it could replace a file that the command names between check and start.
 */
export async function restartRunning(
  deps: TaskDeps,
  record: TerminalRecord,
  by: string,
  given: Variables = {},
): Promise<TerminalRecord> {
  const task = record.task === undefined ? undefined : deps.store.task(record.task);
  const inForce = await deps.configFor(task?.root);
  if (!task || record.phase === "ended" || !runsOwnAgent(inForce, task)) return restartTerminal(deps, record, given);
  await requireTrustedAgent(deps, inForce, task);
  await deps.supervisor.stop(record, by);
  return restartTerminal(deps, deps.store.terminal(record.id) ?? record, given);
}

async function resumptionOf(deps: TaskDeps, record: TerminalRecord, given: Variables): Promise<Resumption | undefined> {
  const agent = deps.agents.of(record.id);
  const sessionId = agent?.session_id;
  // Agents do not save empty conversations; there is nothing to resume.
  if (!agent || sessionId === undefined || failedAtOnce(record) || deps.store.turns(agent.id, 1).length === 0) return;
  if (!canBeResumed(sessionId)) return;
  const task = record.task === undefined ? undefined : deps.store.task(record.task);
  const { config } = await deps.configFor(task?.root);
  const known = agentNamed(agent.kind, config.agents);
  if (!known?.resume) return undefined;
  if (!task) return isBare(record.argv) ? { agent, argv: known.resume(record.argv, sessionId) } : undefined;
  // A command with a place for the prompt would give the prompt again.
  if (known.cmd.includes("<prompt>")) return undefined;
  const server = deps.servers.addressOf(record);
  return { agent, argv: (await taskLaunch(deps, task, given, { sessionId, server })).argv };
}

// The agent may have lost the conversation: then the next start is like the first one.
function failedAtOnce({ end, startedAt, endedAt }: TerminalRecord): boolean {
  const failed = end?.kind === "exited" && end.code !== 0;
  return failed && (endedAt ?? 0) - (startedAt ?? 0) < failedAtOnceMs;
}

// A person's own arguments may contain a prompt, which must not be given twice.
function isBare([program = "", ...rest]: readonly string[]): boolean {
  const words = /(^|\/)(node|bun|deno)$/.test(program) ? rest.slice(1) : rest;
  return words.length === 0;
}
