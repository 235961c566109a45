import type { Agent } from "./agent.ts";
import { readGeminiScreen, readGeminiTitle } from "./gemini/screen.ts";

export const gemini: Agent = {
  name: "gemini",
  cmd: ["gemini"],
  // -i begins with a prompt and stays interactive; a bare argument would run once and end.
  withPrompt: (cmd, prompt) => [...cmd, "-i", prompt],
  env: /^(GEMINI_|GOOGLE_)/,
  readScreen: readGeminiScreen,
  readTitle: readGeminiTitle,
  submit: { textEnterDelayMs: 250, keyDelayMs: 150, dialogGraceMs: 500, paste: true },
};
