import type { Agent } from "./agent.ts";
import { readOpencodeScreen } from "./opencode/screen.ts";

export const opencode: Agent = {
  name: "opencode",
  cmd: ["opencode"],
  withPrompt: (cmd, prompt) => [...cmd, "--prompt", prompt],
  env: /^(OPENCODE_|ANTHROPIC_|OPENAI_|GEMINI_|GOOGLE_|OPENROUTER_)/,
  readScreen: readOpencodeScreen,
  submit: { textEnterDelayMs: 150, keyDelayMs: 150, dialogGraceMs: 500, paste: true },
};
