import type { Agent } from "./agent.ts";
import { answerCodex } from "./codex/answer.ts";
import { readCodexHook } from "./codex/hooks.ts";
import { readCodexScreen, readCodexTitle } from "./codex/screen.ts";

export const codex: Agent = {
  name: "codex",
  cmd: ["codex"],
  withPrompt: (cmd, prompt) => [...cmd, prompt],
  resume: (cmd, sessionId) => [...cmd, "resume", sessionId],
  env: /^(OPENAI_|CODEX_|AZURE_)/,
  // Hooks of a command line must be trusted in a dialog at every start, and the option that skips it would trust a
  // repository's hooks too. Title and screen tell enough. Its shared daemon would name another pane than its own.
  withHooks: (cmd) => ({ cmd: cmd.includes("--no-daemon") ? cmd : [...cmd, "--no-daemon"] }),
  readScreen: readCodexScreen,
  readTitle: readCodexTitle,
  readHook: readCodexHook,
  // An Enter within 50 ms of the text is swallowed.
  submit: { textEnterDelayMs: 250, keyDelayMs: 150, dialogGraceMs: 300, paste: true, pasteLine: true },
  answer: answerCodex,
};
