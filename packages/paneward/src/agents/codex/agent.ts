import type { Agent } from "../agent.ts";
import { answerCodex } from "./answer.ts";
import { readCodexHook } from "./hooks.ts";
import { withCodexHooks } from "./launch.ts";
import { readCodexScreen, readCodexTitle } from "./screen.ts";

export const codex: Agent = {
  name: "codex",
  cmd: ["codex"],
  withPrompt: (cmd, prompt) => [...cmd, prompt],
  resume: (cmd, sessionId) => [...cmd, "resume", sessionId],
  env: /^(OPENAI_|CODEX_|AZURE_)/,
  withHooks: withCodexHooks,
  readScreen: readCodexScreen,
  readTitle: readCodexTitle,
  readHook: readCodexHook,
  // An Enter within 50 ms of the text is swallowed.
  submit: { textEnterDelayMs: 250, keyDelayMs: 150, dialogGraceMs: 300, pasteLine: true },
  interrupt: ["Escape"],
  answer: answerCodex,
};
