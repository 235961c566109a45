import { randomUUID } from "node:crypto";
import { PanewardError, shellVariables } from "@paneward/sdk";
import type { Agent } from "../../agents/agent.ts";
import { type Launch, launch } from "../../agents/launch.ts";
import { agentNamed, agentNames } from "../../agents/registry.ts";
import type { ServerAddress } from "../../model/agents/agent-server.ts";
import type { TaskRecord } from "../../model/records.ts";
import type { AgentServers } from "../witnesses/agent-servers.ts";
import { hookFacts } from "../witnesses/hook-facts.ts";
import { writeHookScript } from "../witnesses/hook-script-file.ts";
import type { World } from "../world.ts";
import { requireTrustedAgent } from "./trust.ts";

export interface LaunchDeps extends World {
  readonly servers: AgentServers;
}

/** What the caller's shell gave to the program: PATH and such. */
export type Variables = Readonly<Record<string, string>>;

/**
 * How a task's agent is started, by the configuration as it is now, with the files that it needs written. With a
 * conversation's id it resumes that one.
 */
export async function taskLaunch(
  deps: LaunchDeps,
  task: TaskRecord,
  given: Variables,
  again?: { readonly sessionId?: string; readonly server: ServerAddress | undefined },
): Promise<Launch> {
  const inForce = await deps.configFor(task.root);
  const { config } = inForce;
  const agent = requireAgent(task.agent, config.agents);
  await requireTrustedAgent(deps, inForce, task);
  const server = agent.server && (again ? again.server : await deps.servers.newAddress());
  await deps.files.writePrivate(promptFile(deps, task), task.text);
  await writeHookScript(deps);
  const facts = {
    id: task.id,
    root: task.root,
    prompt: task.text,
    promptFile: promptFile(deps, task),
    callerEnv: { ...deps.env, ...given },
    hooks: {
      ...hookFacts(deps.places, task.agent, `${deps.places.tasks}/${task.id}/hooks`, server),
      evenIfAsked: config.agents[task.agent]?.hooks === true,
    },
    ...(again?.sessionId === undefined ? { newSession: randomUUID() } : { sessionId: again.sessionId }),
  };
  const made = launch(agent, facts);
  for (const [name, text] of Object.entries(made.files)) {
    await deps.files.writePrivate(`${facts.hooks.folder}/${name}`, text);
  }
  return { ...made, env: { ...shellVariables(facts.callerEnv), ...made.env } };
}

export function requireAgent(name: string, configured: Parameters<typeof agentNamed>[1]): Agent {
  const agent = agentNamed(name, configured);
  if (agent) return agent;
  throw new PanewardError("bad_input", `there is no agent ${name}; there are ${agentNames(configured).join(", ")}`, {
    hint: `name its command in the configuration: [agents.${name}] cmd = ["…"]`,
  });
}

export function promptFile(world: Pick<World, "places">, task: TaskRecord): string {
  return `${world.places.tasks}/${task.id}/prompt.md`;
}
