import type { Refusal } from "../../model/courier/delivery-plan.ts";
import type { Agent } from "../agent.ts";
import { ignorable, misdrawn, ownCommand, picture, quits, shellCommand, shifting, tabsToBlanks } from "../delivery.ts";
import { permissionDecision } from "../hook-decision.ts";
import type { Environment } from "../hook-settings.ts";
import { answerClaude } from "./answer.ts";
import { readClaudeHook } from "./hooks.ts";
import { claudeHooks, withClaudeHooks } from "./launch.ts";
import { claudeRecord } from "./record.ts";
import { readClaudeScreen } from "./screen.ts";
import { readClaudeState } from "./state-file.ts";

const reaching: Refusal = {
  // `..` may be anywhere in a path. `"reviewer (agent)"` calls an agent, `server:uri` reads from a server.
  when: /(?:^|[\s(,;])@(?:"?[/~]|agent-|"[^"\n]*\(agent\)|[A-Za-z_][\w.-]*:\S|(?:"(?:[^"\n]*[/\\])?|(?:[^\s"]*[/\\])?)\.\.(?=[/\\"\s]|$))/,
  would: "would attach the file, or call the agent, that @ names",
};

export const claude: Agent = {
  name: "claude",
  cmd: ["claude"],
  withPrompt: (cmd, prompt) => [...cmd, "--", prompt],
  resume: (cmd, sessionId) => [...cmd, "--resume", sessionId],
  env: /^(ANTHROPIC_|CLAUDE_|AWS_|GOOGLE_|VERTEX_)/,
  withHooks: withClaudeHooks,
  installableHooks: {
    installedAs: "claude-code",
    file: (env) => `${claudeFolder(env)}/settings.json`,
    variable: "CLAUDE_CONFIG_DIR",
    hooks: claudeHooks,
    advice: "restart a running Claude Code to load them",
  },
  readScreen: readClaudeScreen,
  readHook: readClaudeHook,
  hookDecision: permissionDecision,
  sendsUnnamedHooks: true,
  // Reports of subagents and background tasks, and reminders, come as prompts.
  synthetic: /<task-notification>|<system-reminder>|\[Request interrupted by user/,
  stateFiles: { folder: (env) => `${claudeFolder(env)}/sessions`, read: readClaudeState },
  records: [claudeRecord],
  session: {
    option: "--session-id",
    unless: /^(--(session-id|resume|continue|fork-session|from-pr|teleport)(=.*)?|-[rc])$/,
  },
  submit: {
    textEnterDelayMs: 100,
    keyDelayMs: 150,
    // Its dialogs ignore keys in their first 0.6 s; a key that comes too early lands in the input line.
    dialogGraceMs: 1000,
    // A typed tab or `@` asks for a completion.
    pasteLine: true,
    // [Pasted text #1 +3 lines]; one line of more than 800 characters is [Pasted text #1]
    pasteMark: /^\[Pastedtext#\d+(?:\+(\d+)(lines))?\]$/,
  },
  deliver: {
    shell: shellCommand.when,
    refuse: [
      shellCommand,
      ownCommand,
      quits,
      // What it attaches from its own folder it may read without a question anyway.
      reaching,
      picture,
      ignorable,
      misdrawn,
      shifting,
    ],
    // Behind another character a `!` is text. C-a goes to the beginning of the last line, so this is for one line, or for
    // so many that they are drawn as one mark.
    guards: [
      {
        when: /^\s*!(?:[^\n]*|(?:[^\n]*\n){3}[\s\S]*)$/,
        against: shellCommand,
        before: "x",
        keys: ["C-a", "DC"],
      },
    ],
    ending: { when: /^(?![\s\S]{801}|(?:[^\n]*\n){3})[\s\S]*(?:\\|[@#/$~]\S*)\s*$/, key: "Space" },
    changes: [
      tabsToBlanks,
      {
        what: "letters with combining marks arrive composed (NFC)",
        of: (text) => (isMarked(text) ? text : text.normalize("NFC")),
      },
      {
        what: "blanks and empty lines at its end are dropped",
        of: (text) => (isMarked(text) ? text : text.trimEnd()),
      },
    ],
    // One word may be the name of a subcommand.
    notAtLaunch: [/^[a-z][a-z-]*$/, ownCommand.when, quits.when, reaching.when, misdrawn.when, shifting.when],
  },
  // On some systems M-m is its Shift-Tab.
  modeKeys: ["BTab", "M-m"],
  interrupt: ["Escape"],
  approval: { approves: /^Yes$/, denies: /^No(, and tell Claude what to do differently( \(esc\))?)?$/ },
  answer: answerClaude,
};

// Of a text that is drawn as a mark it changes tabs only.
function isMarked(text: string): boolean {
  return text.length > 800 || /(?:\n[^\n]*){3}/.test(text);
}

function claudeFolder(env: Environment): string {
  return env.CLAUDE_CONFIG_DIR || `${env.HOME ?? ""}/.claude`;
}
