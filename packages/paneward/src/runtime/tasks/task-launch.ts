import { PanewardError } from "@paneward/sdk";
import type { Agent } from "../../agents/agent.ts";
import { type Launch, launch } from "../../agents/launch.ts";
import { agentNamed, builtInAgents } from "../../agents/registry.ts";
import type { ServerAddress } from "../../model/agents/agent-server.ts";
import type { TaskRecord } from "../../model/records.ts";
import { hookFacts } from "../witnesses/hook-facts.ts";
import type { Runtime } from "../world.ts";

/** How a task's agent is started, with the files that it needs in their place. With a conversation's id it goes on with it. */
export async function taskLaunch(
  rt: Runtime,
  task: TaskRecord,
  again?: { readonly sessionId: string; readonly server: ServerAddress | undefined },
): Promise<Launch> {
  const { config } = await rt.configFor(task.root);
  const agent = requireAgent(task.agent, config.agents);
  const server = agent.server && (again ? again.server : await rt.servers.newAddress());
  await rt.files.writePrivate(promptFile(rt, task), task.text);
  const facts = {
    id: task.id,
    root: task.root,
    prompt: task.text,
    promptFile: promptFile(rt, task),
    callerEnv: rt.env,
    hooks: {
      ...hookFacts(rt.places, task.agent, `${rt.places.tasks}/${task.id}/hooks`, server),
      evenIfAsked: config.agents[task.agent]?.hooks === true,
    },
    ...(again && { sessionId: again.sessionId }),
  };
  const made = launch(agent, facts);
  for (const [name, text] of Object.entries(made.files)) {
    await rt.files.writePrivate(`${facts.hooks.folder}/${name}`, text);
  }
  return made;
}

export function requireAgent(name: string, configured: Parameters<typeof agentNamed>[1]): Agent {
  const agent = agentNamed(name, configured);
  if (agent) return agent;
  const names = [...new Set([...builtInAgents, ...Object.keys(configured)])];
  throw new PanewardError("bad_input", `there is no agent ${name}; there are ${names.join(", ")}`, {
    hint: `name its command in the configuration: [agents.${name}] cmd = ["…"]`,
  });
}

export function promptFile(rt: Runtime, task: TaskRecord): string {
  return `${rt.places.tasks}/${task.id}/prompt.md`;
}
