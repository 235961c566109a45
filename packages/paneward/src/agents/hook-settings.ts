import type { HookFacts, HookSettings } from "./agent.ts";
import { claudeHooks } from "./claude/launch.ts";
import { codexHooks } from "./codex/hook-settings.ts";
import { geminiHooks } from "./gemini/hook-settings.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** An agent into whose settings hooks can be installed. */
export interface HookedAgent {
  /** The agent's name in the registry. */
  readonly kind: string;
  /** Where it keeps the user's hooks. */
  readonly file: (env: Environment) => string;
  readonly hooks: (commands: Pick<HookFacts, "tell" | "ask">) => HookSettings;
  /** What a person must still do. */
  readonly advice: string;
}

/** By the names that people type. */
export const hookedAgents: Readonly<Record<string, HookedAgent>> = {
  "claude-code": {
    kind: "claude",
    file: (env) => `${env.CLAUDE_CONFIG_DIR || `${env.HOME ?? ""}/.claude`}/settings.json`,
    hooks: claudeHooks,
    advice: "a Claude Code that runs already may see it only after its next start",
  },
  codex: {
    kind: "codex",
    file: (env) => `${env.CODEX_HOME || `${env.HOME ?? ""}/.codex`}/hooks.json`,
    hooks: codexHooks,
    advice:
      "Codex asks once whether it may trust them; start it with --no-daemon, or they name the pane of another Codex",
  },
  gemini: {
    kind: "gemini",
    file: (env) => `${env.GEMINI_CLI_HOME || (env.HOME ?? "")}/.gemini/settings.json`,
    hooks: geminiHooks,
    advice: "a Gemini that runs already sees it after its next start",
  },
};
