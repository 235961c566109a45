import type { Refusal } from "../../model/courier/delivery-plan.ts";
import type { Agent } from "../agent.ts";
import { ownCommand, quits, shellCommand, trimmedEnds } from "../delivery.ts";
import { answerOpencode } from "./answer.ts";
import { opencodeApproval } from "./asked.ts";
import { readOpencodeEvent } from "./events.ts";
import { readOpencodeScreen } from "./screen.ts";
import { opencodeServer, withOpencodeServer } from "./server.ts";

// Its completion takes Enter; no key closes it that could not also interrupt a turn.
const completed: Refusal = {
  when: /(?:^|\s)@\S*\s*$/,
  would: "would complete what @ names, instead of taking Enter",
};

export const opencode: Agent = {
  name: "opencode",
  cmd: ["opencode"],
  withPrompt: (cmd, prompt) => [...cmd, `--prompt=${prompt}`],
  resume: (cmd, sessionId) => [...cmd, "--session", sessionId],
  env: /^(OPENCODE_|ANTHROPIC_|OPENAI_|GEMINI_|GOOGLE_|OPENROUTER_)/,
  withHooks: withOpencodeServer,
  server: opencodeServer,
  readScreen: readOpencodeScreen,
  readHook: readOpencodeEvent,
  submit: {
    textEnterDelayMs: 400,
    keyDelayMs: 150,
    dialogGraceMs: 500,
    pasteLine: true,
    // [Pasted ~5 lines]
    pasteMark: /^\[Pasted~(\d+)(lines)\]$/,
    blankAfterMark: true,
  },
  deliver: {
    refuse: [ownCommand, quits, completed],
    // What it draws as a mark.
    changes: [{ what: trimmedEnds.what, of: (text) => (isMarked(text.trim()) ? trimmedEnds.of(text) : text) }],
    shell: shellCommand.when,
    // Pasted, it is text; typed, it opens the shell.
    typedCommands: shellCommand.when,
    notAtLaunch: [ownCommand.when, quits.when, completed.when],
  },
  // Tab changes between agents that may plan and that may build; C-p and C-x open where the same is chosen.
  modeKeys: ["Tab", "BTab", "C-p", "C-x"],
  interrupt: ["Escape", "Escape"],
  approval: opencodeApproval,
  answer: answerOpencode,
};

function isMarked(text: string): boolean {
  return text.length > 150 || /(?:\n[^\n]*){2}/.test(text);
}
