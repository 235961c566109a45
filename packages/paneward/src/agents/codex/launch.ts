import type { Hooked, HookFacts } from "../agent.ts";
import { codexHooks } from "./hook-settings.ts";

/**
 * Without `--no-daemon`, hooks run in a process that several Codexes share and name the pane of the first. Hooks on the
 * command line are added to the user's. Codex asks once whether they may run, and again when they change; so they are
 * given only to users who ask for them.
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
