import type { Agent } from "../agent.ts";
import { answerGemini } from "./answer.ts";
import { geminiHooks } from "./hook-settings.ts";
import { readGeminiHook } from "./hooks.ts";
import { readGeminiScreen, readGeminiTitle } from "./screen.ts";

export const gemini: Agent = {
  name: "gemini",
  cmd: ["gemini"],
  // -i starts with a prompt and stays interactive; with a bare argument it would run once and exit.
  withPrompt: (cmd, prompt) => [...cmd, "-i", prompt],
  resume: (cmd, sessionId) => [...cmd, "--resume", sessionId],
  env: /^(GEMINI_|GOOGLE_)/,
  installableHooks: {
    file: (env) => `${env.GEMINI_CLI_HOME || (env.HOME ?? "")}/.gemini/settings.json`,
    variable: "GEMINI_CLI_HOME",
    hooks: geminiHooks,
    advice: "restart a running Gemini to load them",
  },
  readScreen: readGeminiScreen,
  readTitle: readGeminiTitle,
  readHook: readGeminiHook,
  submit: {
    textEnterDelayMs: 400,
    keyDelayMs: 150,
    dialogGraceMs: 500,
    pasteLine: true,
    // [Pasted Text: 5 lines], [Pasted Text: 501 chars]
    pasteMark: /^\[PastedText:(\d+)(lines|chars)\]$/,
  },
  interrupt: ["Escape"],
  answer: answerGemini,
};
