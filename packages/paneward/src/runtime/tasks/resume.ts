import { agentNamed } from "../../agents/registry.ts";
import type { TerminalRecord } from "../../model/records.ts";
import type { AgentBook } from "../agents/agent-book.ts";
import type { Resumption, Supervisor } from "../terminals/supervisor.ts";
import { type LaunchDeps, taskLaunch } from "./task-launch.ts";

export interface TaskDeps extends LaunchDeps {
  readonly agents: AgentBook;
  readonly supervisor: Supervisor;
}

/** Runs a terminal's program again. An agent goes on with its conversation where that is known. */
export async function restartTerminal(deps: TaskDeps, record: TerminalRecord): Promise<TerminalRecord> {
  const again = await deps.servers.again(record);
  return deps.supervisor.restart(again, await goesOn(deps, again));
}

async function goesOn(deps: TaskDeps, record: TerminalRecord): Promise<Resumption | undefined> {
  const agent = deps.agents.of(record.id);
  const sessionId = agent?.session_id;
  // What nobody said a word in was never kept by the agent, and cannot be gone on with.
  if (!agent || sessionId === undefined || failedAtOnce(record) || deps.store.turns(agent.id, 1).length === 0) return;
  const task = record.task === undefined ? undefined : deps.store.task(record.task);
  const { config } = await deps.configFor(task?.root);
  const known = agentNamed(agent.kind, config.agents);
  if (!known?.resume) return undefined;
  if (!task) return isBare(record.argv) ? { agent, argv: known.resume(record.argv, sessionId) } : undefined;
  // A command that places the prompt itself would give it again.
  if (known.cmd.includes("<prompt>")) return undefined;
  return { agent, argv: (await taskLaunch(deps, task, { sessionId, server: deps.servers.addressOf(record) })).argv };
}

// The agent may have lost the conversation: then the next try begins as the first one did.
function failedAtOnce({ end, startedAt, endedAt }: TerminalRecord): boolean {
  const failed = end?.kind === "exited" && end.code !== 0;
  return failed && (endedAt ?? 0) - (startedAt ?? 0) < atOnceMs;
}

// Among a person's own words may be a prompt, which must not be given twice.
function isBare([program = "", ...rest]: readonly string[]): boolean {
  const words = /(^|\/)(node|bun|deno)$/.test(program) ? rest.slice(1) : rest;
  return words.length === 0;
}

const atOnceMs = 15_000;
