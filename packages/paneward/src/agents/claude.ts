import type { Agent } from "./agent.ts";
import { readClaudeScreen } from "./claude/screen.ts";

export const claude: Agent = {
  name: "claude",
  cmd: ["claude"],
  withPrompt: (cmd, prompt) => [...cmd, prompt],
  env: /^(ANTHROPIC_|CLAUDE_|AWS_|GOOGLE_|VERTEX_)/,
  readScreen: readClaudeScreen,
  submit: { textEnterDelayMs: 100, keyDelayMs: 150, dialogGraceMs: 1000, paste: true },
};
