import type { Agent } from "../agent.ts";
import { answerGemini } from "./answer.ts";
import { readGeminiHook } from "./hooks.ts";
import { readGeminiScreen, readGeminiTitle } from "./screen.ts";

export const gemini: Agent = {
  name: "gemini",
  cmd: ["gemini"],
  // -i begins with a prompt and stays interactive; a bare argument would run once and end.
  withPrompt: (cmd, prompt) => [...cmd, "-i", prompt],
  resume: (cmd, sessionId) => [...cmd, "--resume", sessionId],
  env: /^(GEMINI_|GOOGLE_)/,
  readScreen: readGeminiScreen,
  readTitle: readGeminiTitle,
  readHook: readGeminiHook,
  submit: { textEnterDelayMs: 400, keyDelayMs: 150, dialogGraceMs: 500, pasteLine: true },
  interrupt: ["Escape"],
  answer: answerGemini,
};
