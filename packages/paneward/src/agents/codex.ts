import type { Agent } from "./agent.ts";
import { readCodexScreen, readCodexTitle } from "./codex/screen.ts";

export const codex: Agent = {
  name: "codex",
  cmd: ["codex"],
  withPrompt: (cmd, prompt) => [...cmd, prompt],
  env: /^(OPENAI_|CODEX_|AZURE_)/,
  readScreen: readCodexScreen,
  readTitle: readCodexTitle,
  submit: { textEnterDelayMs: 250, keyDelayMs: 150, dialogGraceMs: 300, paste: true },
};
