import type { Agent } from "./agent.ts";
import { claude } from "./claude/agent.ts";
import { codex } from "./codex/agent.ts";
import { gemini } from "./gemini/agent.ts";
import { opencode } from "./opencode/agent.ts";
import { pi } from "./pi/agent.ts";
import { shell } from "./shell/agent.ts";

const builtIn: readonly Agent[] = [claude, codex, gemini, opencode, pi, shell];

export const builtInAgents = builtIn.map(({ name }) => name);

/** The agent of this name: built in, or named by the configuration, or both. */
export function agentNamed(
  name: string,
  configured: Readonly<Record<string, { readonly cmd: readonly string[] }>>,
): Agent | undefined {
  const known = builtIn.find((agent) => agent.name === name);
  const cmd = configured[name]?.cmd;
  if (!known) return cmd && cmd.length > 0 ? custom(name, cmd) : undefined;
  return cmd && cmd.length > 0 ? { ...known, cmd } : known;
}

// An agent we know nothing about takes the prompt as its last argument.
function custom(name: string, cmd: readonly string[]): Agent {
  return { name, cmd, withPrompt: (argv, prompt) => [...argv, prompt], env: /^$/, submit: plain };
}

const plain = { textEnterDelayMs: 100, keyDelayMs: 150, dialogGraceMs: 0 } as const;
