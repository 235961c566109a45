import { type Config, ownValue } from "@paneward/sdk";
import type { Agent } from "./agent.ts";
import * as descriptions from "./built-in.ts";
import { shellCommand, unknownCommands } from "./delivery.ts";
import type { HookedAgent } from "./hook-settings.ts";

const builtIn: readonly Agent[] = Object.values(descriptions);

export const builtInAgents = builtIn.map(({ name }) => name);

/** The built-in agents without shells. */
export const codingAgents = builtIn.filter(({ isShell }) => !isShell).map(({ name }) => name);

/** The agent of this name: built in, configured, or both. */
export function agentNamed(name: string, configured: Config["agents"]): Agent | undefined {
  const known = builtIn.find((agent) => agent.name === name);
  const { cmd, plain_text: isPlain } = ownValue(configured, name) ?? {};
  if (!known) return cmd && cmd.length > 0 ? custom(name, cmd, isPlain === true) : undefined;
  return cmd && cmd.length > 0 ? { ...known, cmd } : known;
}

/** Every name that a task may give: built-in agents, then the configured ones. */
export function agentNames(configured: Readonly<Record<string, unknown>>): readonly string[] {
  return [...new Set([...builtInAgents, ...Object.keys(configured)])];
}

export function isShell(name: string): boolean {
  return agentNamed(name, {})?.isShell === true;
}

/** The kind of a pane in which no agent is known. */
export const shellAgent = only("isShell").name;

/** The agent that hooks without an agent's name belong to. */
export const unnamedHooksAgent = only("sendsUnnamedHooks").name;

/** The agents that write state files. */
export const agentsWithStateFiles = builtIn.flatMap(({ name, stateFiles }) =>
  stateFiles ? [{ name, stateFiles }] : [],
);

/** Agents into whose settings hooks can be installed, by the names that people type. */
export const hookedAgents: Readonly<Record<string, HookedAgent>> = Object.fromEntries(
  builtIn.flatMap(({ name, installableHooks: hooks }) =>
    hooks ? [[hooks.installedAs ?? name, { ...hooks, kind: name }]] : [],
  ),
);

/** Whether an agent of this kind wrote this text itself. One without its own hook reader may be any of them. */
export function isSynthetic(kind: string, text: string): boolean {
  const agent = agentNamed(kind, {});
  const agents = agent?.readHook ? [agent] : builtIn;
  return agents.some(({ synthetic }) => synthetic?.test(text));
}

/** How text reaches an agent that is not built in, where its program was started earlier. */
export function unknownAgent(name: string, configured: Parameters<typeof agentNamed>[1]): Agent {
  return custom(name, [], ownValue(configured, name)?.plain_text === true);
}

// An unknown agent takes the prompt as its last argument; what begins with a dash could be an option of it.
function custom(name: string, cmd: readonly string[], isPlain: boolean): Agent {
  const commands = isPlain ? [] : unknownCommands;
  const notAtLaunch = [/^-/, ...commands.map(({ when }) => when)];
  const deliver = { notAtLaunch, refuse: commands, ...(isPlain ? {} : { shell: shellCommand.when }) };
  return { name, cmd, withPrompt: (argv, prompt) => [...argv, prompt], env: /^$/, submit: plain, deliver };
}

const plain = { textEnterDelayMs: 100, keyDelayMs: 150, dialogGraceMs: 0 } as const;

function only(property: "isShell" | "sendsUnnamedHooks"): Agent {
  const [agent, ...others] = builtIn.filter((one) => one[property]);
  if (!agent || others.length > 0) throw new Error(`one built-in agent must have ${property}`);
  return agent;
}
