import type { Agent } from "../agent.ts";
import { permissionDecision } from "../hook-decision.ts";
import { answerCodex } from "./answer.ts";
import { codexHooks } from "./hook-settings.ts";
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
  installableHooks: {
    file: (env) => `${env.CODEX_HOME || `${env.HOME ?? ""}/.codex`}/hooks.json`,
    variable: "CODEX_HOME",
    hooks: codexHooks,
    advice:
      "Codex asks once whether it may trust them; start it with --no-daemon, otherwise reports may carry another Codex's pane",
  },
  readScreen: readCodexScreen,
  readTitle: readCodexTitle,
  readHook: readCodexHook,
  hookDecision: permissionDecision,
  submit: {
    // An Enter within 50 ms of the text is swallowed.
    textEnterDelayMs: 250,
    keyDelayMs: 150,
    dialogGraceMs: 300,
    pasteLine: true,
    // [Pasted Content 1234 chars]
    pasteMark: /^\[PastedContent(\d+)(chars)\]$/,
  },
  interrupt: ["Escape"],
  answer: answerCodex,
};
