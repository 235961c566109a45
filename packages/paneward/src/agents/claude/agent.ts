import type { Agent } from "../agent.ts";
import { answerClaude } from "./answer.ts";
import { readClaudeHook } from "./hooks.ts";
import { withClaudeHooks } from "./launch.ts";
import { readClaudeScreen } from "./screen.ts";

export const claude: Agent = {
  name: "claude",
  cmd: ["claude"],
  withPrompt: (cmd, prompt) => [...cmd, prompt],
  resume: (cmd, sessionId) => [...cmd, "--resume", sessionId],
  env: /^(ANTHROPIC_|CLAUDE_|AWS_|GOOGLE_|VERTEX_)/,
  withHooks: withClaudeHooks,
  readScreen: readClaudeScreen,
  readHook: readClaudeHook,
  // Its dialogs take no key in their first 0.6 s; what comes too early lands in the input line.
  submit: { textEnterDelayMs: 100, keyDelayMs: 150, dialogGraceMs: 1000 },
  interrupt: ["Escape"],
  answer: answerClaude,
};
