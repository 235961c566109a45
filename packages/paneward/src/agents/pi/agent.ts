import type { Refusal } from "../../model/courier/delivery-plan.ts";
import type { Agent } from "../agent.ts";
import { misdrawn, ownCommand, shellCommand, tabsToBlanks, trimmedEnds, unseen } from "../delivery.ts";
import { answerPi } from "./answer.ts";
import { piRecord } from "./record.ts";
import { readPiScreen } from "./screen.ts";

// [paste #1 +31 lines], [paste #1 2000 chars]; without blanks nothing separates the second one's numbers.
const pasteMark = /^\[paste#\d+(?:\+(\d+)(lines)|chars)\]$/;

// It counts other columns for some of them than tmux does: the frame of its input line then breaks.
const unreadable: Refusal = { ...unseen, would: misdrawn.would };

export const pi: Agent = {
  name: "pi",
  cmd: ["pi"],
  withPrompt: (cmd, prompt) => [...cmd, "--", prompt],
  resume: (cmd, sessionId) => [...cmd, "--session", sessionId],
  env: /^(PI_|ANTHROPIC_|OPENAI_|GEMINI_|GOOGLE_|OPENROUTER_)/,
  readScreen: readPiScreen,
  records: [piRecord],
  session: {
    option: "--session-id",
    unless: /^(--(session|session-id|session-dir|no-session|continue|resume|fork)(=.*)?|-[cr])$/,
  },
  submit: { textEnterDelayMs: 200, keyDelayMs: 150, dialogGraceMs: 0, pasteLine: true, pasteMark },
  deliver: {
    shell: shellCommand.when,
    refuse: [shellCommand, ownCommand, unreadable, misdrawn],
    ending: { when: /\\\s*$|[@#/$~][^\s@#/$~]*\s*$/, key: "Space" },
    changes: [tabsToBlanks, trimmedEnds],
    notAtLaunch: [ownCommand.when, /^@/],
  },
  interrupt: ["Escape"],
  answer: answerPi,
};
