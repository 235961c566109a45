import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Scene } from "../stage.ts";
import { firstDraft, misleadingAnswers, narrowTurn, quotaReached, shellMode, trickyPermissions } from "./alike.ts";
import { color, depot, manyLines, say, size, toppings } from "./asking.ts";

const box = /^❯\s*$/m;
const idle = { says: "idle", draft: "" } as const;
const command = { tool: "Bash", command: "touch made.txt" } as const;

export const claudeScenes: Readonly<Record<string, Scene>> = {
  shell: shellMode(/! for shell mode/),
  commands: {
    async play(pane) {
      await firstDraft(pane, idle, "C-u", box);
      pane.paste(manyLines);
      await pane.shows(/Pasted text/);
      await pane.keep("draft-pasted", { says: "idle", draft: "[Pasted text #1 +29 lines]" });
      pane.press("C-u");
      await pane.shows(box);
      await pane.say("RUN: touch made.txt");
      await pane.shows(/Do you want/);
      await pane.keep("permission-command", { says: "needs_input", kind: "permission", options: 4, proposal: command });
      pane.press("Down");
      await pane.shows(/❯ 2\./);
      await pane.keep("permission-pointer-moved", { says: "needs_input", kind: "permission", options: 4 });
      pane.resize(60, 30);
      await pane.keep("permission-resized", { says: "needs_input", kind: "permission", options: 4, proposal: command });
      pane.resize(100, 40);
      await pane.keep("permission-resized-back", { says: "needs_input", kind: "permission", options: 4 });
      pane.press("Escape");
      await pane.shows(/Interrupted/);
      await pane.keep("after-escape-of-permission", idle);
      await pane.say("RUN: touch other.txt");
      await pane.shows(/Do you want/);
      await pane.keep("permission-second", {
        says: "needs_input",
        kind: "permission",
        proposal: { command: "touch other.txt" },
      });
      pane.press("4");
      await pane.shows(box);
      await pane.keep("after-denial", idle);
      await pane.say("SLOW 20");
      await pane.shows(/esc to interrupt/);
      await pane.keep("busy", { says: "working", draft: "" }, true);
      await pane.draft("typed ahead");
      await pane.keep("busy-draft", { says: "working", draft: "typed ahead" }, true);
      pane.press("Escape");
      await pane.shows(/tick[\s\S]*Interrupted/);
      await pane.keep("after-escape-of-turn", { says: "idle" });
      pane.press("C-u");
      await pane.shows(box);
      await misleadingAnswers(pane, idle);
      await pane.say("RUN: touch third.txt; sleep 21");
      await pane.shows(/Do you want/);
      await pane.keep("permission-after-long-output", { says: "needs_input", kind: "permission" });
      pane.press("1");
      await pane.shows(/esc to interrupt/);
      await pane.keep("busy-tool", { says: "working" }, true);
    },
  },
  files: {
    async play(pane) {
      await pane.say(say.tool("Write", { file_path: "notes.md", content: "# Notes\n\nfirst\nsecond\n" }));
      await pane.shows(/Do you want/);
      await pane.keep("permission-write", {
        says: "needs_input",
        kind: "permission",
        options: 3,
        proposal: { tool: "Write", path: "notes.md" },
      });
      pane.press("1");
      await pane.shows(/It gave/);
      await pane.keep("idle-after-turn", idle);
      await pane.say(say.tool("Edit", { file_path: "notes.md", old_string: "first", new_string: "changed" }));
      await pane.shows(/Do you want/);
      await pane.keep("permission-edit", {
        says: "needs_input",
        kind: "permission",
        options: 3,
        proposal: { tool: "Edit", path: "notes.md", diff: " 1  # Notes\n 2\n 3 -first\n 3 +changed\n 4  second" },
      });
      pane.press("Escape");
      await pane.shows(box);
      await pane.say(say.tool("Bash", { command: "sleep 300", description: "Waits", run_in_background: true }));
      await pane.until("it runs or asks", ({ lines }) => /Do you want|still running/.test(lines.join("\n")));
      if (/Do you want/.test(pane.look().lines.join("\n"))) {
        await pane.keep("permission-background", { says: "needs_input", kind: "permission" });
        pane.press("1");
      }
      await pane.shows(/still running/);
      await pane.keep("background-work", { says: "working", detail: "background_work", draft: "" });
    },
  },
  questions: {
    async play(pane) {
      await pane.say(say.tool("AskUserQuestion", { questions: [color] }));
      await pane.shows(/Enter to select/);
      await pane.keep("choice", { says: "needs_input", kind: "choice", options: 4, freeText: true });
      pane.press("3");
      await pane.shows(/❯ 3/);
      await pane.keep("choice-own-words", { says: "needs_input", kind: "choice", options: 4, freeText: true });
      pane.type("Green");
      await pane.shows(/3\. Green/);
      await pane.keep("choice-own-words-typed", { says: "needs_input", kind: "choice", options: 4, freeText: true });
      pane.press("Enter");
      await pane.shows(/It gave/);
      await pane.say(say.tool("AskUserQuestion", { questions: [toppings] }));
      await pane.shows(/\[ \] Ham/);
      await pane.keep("multi-choice", { says: "needs_input", kind: "multi_choice", options: 5, freeText: true });
      pane.press("2");
      await pane.shows(/\[✔\] Olives/);
      await pane.keep("multi-choice-ticked", { says: "needs_input", kind: "multi_choice", options: 5 });
      pane.press("Tab");
      await pane.shows(/Submit answers/);
      await pane.keep("multi-choice-review", { says: "needs_input", kind: "choice", options: 2, freeText: false });
      pane.press("Escape");
      await pane.shows(/declined/);
      await pane.keep("after-escape-of-question", idle);
      await pane.say(say.tool("AskUserQuestion", { questions: [color, size] }));
      await pane.shows(/Enter to select/);
      await pane.keep("two-questions", { says: "needs_input", kind: "choice", options: 4 });
      pane.press("1");
      await pane.shows(/❯ 1\. Small/);
      await pane.keep("two-questions-second", { says: "needs_input", kind: "choice", options: 4 });
    },
  },
  plan: {
    args: ["--permission-mode", "plan"],
    ready: /plan mode on/,
    async play(pane) {
      await pane.keep("idle-plan-mode", idle);
      await pane.say(say.tool("ExitPlanMode", { plan: "1. Read the code\n2. Change it" }));
      await pane.shows(/❯ 1\./);
      await pane.keep("plan", { says: "needs_input", kind: "plan" });
      pane.press("Escape");
      await pane.shows(box);
      await pane.keep("after-escape-of-plan", idle);
    },
  },
  order: {
    args: ["--mcp-config", JSON.stringify({ mcpServers: { depot: { command: "node", args: [depot] } } })],
    async play(pane) {
      await pane.say(say.tool("mcp__depot__order", { part: "wheel", amount: 4 }));
      await pane.shows(/Do you want/);
      await pane.keep("permission-mcp", {
        says: "needs_input",
        kind: "permission",
        options: 3,
        proposal: { tool: "depot — Order Tool: (MCP)", more: 'part: "wheel"\namount: 4' },
      });
    },
  },
  tricky: trickyPermissions((command) => say.tool("Bash", { command, description: "Runs it" }), {
    dialog: /Esc to cancel/,
    proved: ["tabs"],
  }),
  narrow: {
    columns: 40,
    async play(pane) {
      await pane.keep("narrow-idle", idle);
      await pane.say("RUN: touch made-by-the-narrow-pane.txt && echo done");
      await pane.shows(/Do you want/);
      await pane.keep("narrow-permission", {
        says: "needs_input",
        kind: "permission",
        options: 4,
        proposal: { command: "touch made-by-the-narrow-pane.txt && echo done" },
      });
      pane.press("Escape");
      await pane.shows(box);
      await pane.say(say.tool("AskUserQuestion", { questions: [color] }));
      await pane.shows(/❯ 1\. Red/);
      await pane.keep("narrow-choice", { says: "needs_input", kind: "choice", options: 4, freeText: true });
      pane.press("Escape");
      await pane.shows(box);
      await narrowTurn(pane, /esc to interrupt/, { says: "working", draft: "" });
    },
  },
  errors: {
    env: { CLAUDE_CODE_MAX_RETRIES: "0" },
    async play(pane) {
      await quotaReached(pane, idle, "ERR 429 usage limit", /rejected/);
      await pane.say("ERR 401 invalid x-api-key");
      await pane.shows(/Invalid API key/);
      await pane.keep("login-expired", { says: "idle", detail: "login_expired", draft: "" });
      await pane.say("ERR 400 Your credit balance is too low to access the Anthropic API");
      await pane.shows(/Credit balance too low/);
      await pane.keep("quota-credit", { says: "idle", detail: "quota_reached", draft: "" });
      await pane.say("ERR 500 broken");
      await pane.shows(/API Error: 500/);
      await pane.keep("api-error", idle);
    },
  },
  retrying: {
    async play(pane) {
      await pane.say("ERR 529 Overloaded");
      await pane.shows(/Retrying in/);
      await pane.keep("busy-retrying", { says: "working" }, true);
    },
  },
  untrusted: {
    ready: /Enter to confirm/,
    unsettle: ({ home }) => changeState(home, (state) => ({ ...state, projects: {} })),
    async play(pane) {
      await pane.keep("trust", { says: "needs_input", kind: "confirm", options: 2, freeText: false });
    },
  },
  key: {
    ready: /Enter to confirm/,
    unsettle: ({ home }) => changeState(home, (state) => ({ ...state, customApiKeyResponses: undefined })),
    async play(pane) {
      await pane.keep("api-key", { says: "needs_input", kind: "confirm", options: 2, freeText: false });
    },
  },
};

function changeState(home: string, change: (state: object) => object): void {
  const file = join(home, ".claude.json");
  const state = JSON.parse(readFileSync(file, "utf8")) as object;
  rmSync(file);
  writeFileSync(file, JSON.stringify(change(state)));
}
