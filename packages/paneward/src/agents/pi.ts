import type { Agent } from "./agent.ts";

export const pi: Agent = {
  name: "pi",
  cmd: ["pi"],
  withPrompt: (cmd, prompt) => [...cmd, prompt],
  env: /^(PI_|ANTHROPIC_|OPENAI_|GEMINI_|GOOGLE_|OPENROUTER_)/,
};
