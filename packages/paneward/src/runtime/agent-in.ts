import type { Agent } from "../agents/agent.ts";
import { agentNamed, builtInAgents } from "../agents/registry.ts";
import type { TerminalRecord } from "../model/records.ts";
import type { Runtime } from "./runtime.ts";

/** The agent that runs in a terminal: the task's, or the program that has an agent's name. */
export async function agentIn(rt: Runtime, terminal: TerminalRecord): Promise<Agent | undefined> {
  const task = terminal.task === undefined ? undefined : rt.store.task(terminal.task);
  const program = terminal.argv[0]?.split("/").at(-1) ?? "";
  if (!task && !builtInAgents.includes(program)) return undefined;
  const { config } = await rt.configFor(task?.root);
  return agentNamed(task?.agent ?? program, config.agents);
}
