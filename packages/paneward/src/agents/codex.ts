import type { Agent } from "./agent.ts";
import { answerCodex } from "./codex/answer.ts";
import { readCodexHook } from "./codex/hooks.ts";
import { withCodexHooks } from "./codex/launch.ts";
import { readCodexScreen, readCodexTitle } from "./codex/screen.ts";

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
  submit: { textEnterDelayMs: 250, keyDelayMs: 150, dialogGraceMs: 300, paste: true, pasteLine: true },
  interrupt: ["Escape"],
  answer: answerCodex,
};
