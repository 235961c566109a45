import type { Refusal } from "../../model/courier/delivery-plan.ts";
import type { Agent } from "../agent.ts";
import { ownCommand, shellCommand, trimmedEnds, unseen } from "../delivery.ts";
import { answerGemini } from "./answer.ts";
import { geminiHooks } from "./hook-settings.ts";
import { readGeminiHook } from "./hooks.ts";
import { geminiRecord } from "./record.ts";
import { readGeminiScreen, readGeminiTitle } from "./screen.ts";

// Anywhere in a text, also within a word; it looks for files whose names contain what follows.
const attached: Refusal = { when: /(?<!\\)@\S/, would: "would put the file that @ names into it" };

export const gemini: Agent = {
  name: "gemini",
  cmd: ["gemini"],
  // This starts with a prompt and stays interactive; with a bare argument it would run once and exit.
  withPrompt: (cmd, prompt) => [...cmd, `--prompt-interactive=${prompt}`],
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
  records: [geminiRecord],
  session: { option: "--session-id", unless: /^(--(session-id|session-file|resume)(=.*)?|-r)$/ },
  submit: {
    textEnterDelayMs: 400,
    keyDelayMs: 150,
    dialogGraceMs: 500,
    pasteLine: true,
    // [Pasted Text: 5 lines], [Pasted Text: 501 chars]
    pasteMark: /^\[PastedText:(\d+)(lines|chars)\]$/,
  },
  deliver: {
    refuse: [ownCommand, attached, unseen],
    ending: { when: /\\\s*$|[@/]\s*$/, key: "Space" },
    changes: [trimmedEnds],
    shell: shellCommand.when,
    // Pasted, it is text; typed, it opens the shell.
    typedCommands: shellCommand.when,
    notAtLaunch: [ownCommand.when, attached.when],
    // "Slash commands cannot be queued": it takes paths for such, and a second Enter as the turn ends may lose them.
    lostAtWork: /^\s*\/(?![/*])/,
  },
  // Shift-Tab goes through its approval modes; C-y approves everything from then on.
  modeKeys: ["BTab", "C-y"],
  interrupt: ["Escape"],
  approval: { approves: /^Allow once$/, denies: /^No, suggest changes( \(esc\))?$/ },
  answer: answerGemini,
};
