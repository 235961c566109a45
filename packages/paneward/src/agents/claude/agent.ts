import type { Agent } from "../agent.ts";
import { permissionDecision } from "../hook-decision.ts";
import type { Environment } from "../hook-settings.ts";
import { answerClaude } from "./answer.ts";
import { readClaudeHook } from "./hooks.ts";
import { claudeHooks, withClaudeHooks } from "./launch.ts";
import { readClaudeScreen } from "./screen.ts";
import { readClaudeState } from "./state-file.ts";

export const claude: Agent = {
  name: "claude",
  cmd: ["claude"],
  withPrompt: (cmd, prompt) => [...cmd, prompt],
  resume: (cmd, sessionId) => [...cmd, "--resume", sessionId],
  env: /^(ANTHROPIC_|CLAUDE_|AWS_|GOOGLE_|VERTEX_)/,
  withHooks: withClaudeHooks,
  installableHooks: {
    installedAs: "claude-code",
    file: (env) => `${claudeFolder(env)}/settings.json`,
    variable: "CLAUDE_CONFIG_DIR",
    hooks: claudeHooks,
    advice: "restart a running Claude Code to load them",
  },
  readScreen: readClaudeScreen,
  readHook: readClaudeHook,
  hookDecision: permissionDecision,
  sendsUnnamedHooks: true,
  // Reports of subagents and background tasks, and reminders, come as prompts.
  synthetic: /<task-notification>|<system-reminder>|\[Request interrupted by user/,
  stateFiles: { folder: (env) => `${claudeFolder(env)}/sessions`, read: readClaudeState },
  submit: {
    textEnterDelayMs: 100,
    keyDelayMs: 150,
    // Its dialogs ignore keys in their first 0.6 s; a key that comes too early lands in the input line.
    dialogGraceMs: 1000,
    // [Pasted text #1 +3 lines]
    pasteMark: /^\[Pastedtext#\d+\+(\d+)(lines)\]$/,
  },
  interrupt: ["Escape"],
  answer: answerClaude,
};

function claudeFolder(env: Environment): string {
  return env.CLAUDE_CONFIG_DIR || `${env.HOME ?? ""}/.claude`;
}
