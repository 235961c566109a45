import type { Refusal } from "../../model/courier/delivery-plan.ts";
import type { Agent } from "../agent.ts";
import { ownCommand, picture, shellCommand, trimmedOfBlanks } from "../delivery.ts";
import { permissionDecision } from "../hook-decision.ts";
import { answerCodex } from "./answer.ts";
import { codexHooks } from "./hook-settings.ts";
import { readCodexHook } from "./hooks.ts";
import { withCodexHooks } from "./launch.ts";
import { codexRecords } from "./record.ts";
import { readCodexScreen, readCodexTitle } from "./screen.ts";

// Its own skill, and names with a dash, which can hardly be variables. A name of one plain word is delivered as a text, like
// `$HOME`: if a skill has that name, Codex attaches it.
const skill: Refusal = {
  when: /(?:^|[^\w$\\])\$(?:imagegen|[a-z][a-z0-9]*(?:-[a-z0-9]+)+)(?![\w-])/,
  would: "would attach the skill that $ names",
};

// It looks at the first word only, whatever is in it: `/"quoted" text` is "unrecognized", `/etc/hosts` a path.
const slash: Refusal = { ...ownCommand, when: /^\s*\/[^\s/]+(?:\s|$)/ };

export const codex: Agent = {
  name: "codex",
  cmd: ["codex"],
  withPrompt: (cmd, prompt) => [...cmd, "--", prompt],
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
  records: codexRecords,
  submit: {
    // An Enter within 50 ms of the text is swallowed.
    textEnterDelayMs: 250,
    keyDelayMs: 150,
    dialogGraceMs: 300,
    pasteLine: true,
    // [Pasted Content 1234 chars]
    pasteMark: /^\[PastedContent(\d+)(chars)\]$/,
  },
  deliver: {
    shell: shellCommand.when,
    refuse: [shellCommand, slash, skill, picture],
    // It drops blanks at both ends, after it has looked for a command. A long paste that comes together with a key is not
    // drawn until the next key.
    guards: [{ when: slash.when, against: slash, before: " ", aheadMs: 100 }],
    ending: { when: /[@#/$~][^\s@#/$~]*\s*$/, key: "Space" },
    changes: [trimmedOfBlanks],
    notAtLaunch: [shellCommand.when, skill.when],
  },
  // It leaves plan mode by this.
  modeKeys: ["BTab"],
  interrupt: ["Escape"],
  approval: {
    approves: /^(Yes, proceed( \(y\))?|Allow)$/,
    denies: /^(No, and tell Codex what to do differently( \(esc\))?|Cancel)$/,
  },
  answer: answerCodex,
};
