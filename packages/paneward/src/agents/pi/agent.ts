import type { Agent } from "../agent.ts";
import { answerPi } from "./answer.ts";
import { readPiScreen } from "./screen.ts";

// [paste #1 +31 lines]
const pasteMark = /^\[paste#\d+\+(\d+)(lines)\]$/;

export const pi: Agent = {
  name: "pi",
  cmd: ["pi"],
  withPrompt: (cmd, prompt) => [...cmd, prompt],
  resume: (cmd, sessionId) => [...cmd, "--session", sessionId],
  env: /^(PI_|ANTHROPIC_|OPENAI_|GEMINI_|GOOGLE_|OPENROUTER_)/,
  readScreen: readPiScreen,
  submit: { textEnterDelayMs: 200, keyDelayMs: 150, dialogGraceMs: 0, pasteMark },
  interrupt: ["Escape"],
  answer: answerPi,
};
