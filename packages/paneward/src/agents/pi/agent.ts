import type { Agent } from "../agent.ts";
import { answerPi } from "./answer.ts";
import { readPiScreen } from "./screen.ts";

export const pi: Agent = {
  name: "pi",
  cmd: ["pi"],
  withPrompt: (cmd, prompt) => [...cmd, prompt],
  resume: (cmd, sessionId) => [...cmd, "--session", sessionId],
  env: /^(PI_|ANTHROPIC_|OPENAI_|GEMINI_|GOOGLE_|OPENROUTER_)/,
  readScreen: readPiScreen,
  submit: { textEnterDelayMs: 200, keyDelayMs: 150, dialogGraceMs: 0 },
  interrupt: ["Escape"],
  answer: answerPi,
};
