import type { Hooked, HookFacts } from "../agent.ts";
import { codexHooks } from "./hook-settings.ts";

/**
 * Its shared daemon would name another pane than its own. Hooks of a command line are added to the user's, and Codex
 * asks whether they may run: once, as long as they stay the same. Whoever has not wished for them is not asked.
 */
export function withCodexHooks(cmd: readonly string[], facts: HookFacts): Hooked {
  const own = cmd.includes("--no-daemon") ? cmd : [...cmd, "--no-daemon"];
  return { cmd: facts.evenIfAsked ? [...own, "-c", `hooks=${toml(codexHooks(facts))}`] : own };
}

function toml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toml).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, field]) => `${name}=${toml(field)}`)
    .join(",")}}`;
}
