import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Scene } from "../stage.ts";
import { firstDraft, misleadingAnswers, narrowTurn, shellMode, trickyPermissions } from "./alike.ts";
import { color, depot, manyLines, say, toppings } from "./asking.ts";

const box = /Type your message/;
const idle = { says: "idle", draft: "", title: "idle" } as const;
const asks = { says: "needs_input", kind: "permission", title: "needs_input" } as const;
const choice = ({ multiSelect, ...question }: typeof color | typeof toppings) => ({
  ...question,
  type: "choice",
  ...(multiSelect && { multiSelect }),
});

export const geminiScenes: Readonly<Record<string, Scene>> = {
  shell: shellMode(/shell mode enabled/),
  commands: {
    async play(pane) {
      await firstDraft(pane, idle, "C-c", box);
      pane.paste(manyLines);
      await pane.shows(/Pasted/);
      await pane.keep("draft-pasted", { says: "idle", draft: "[Pasted Text: 30 lines]" });
      pane.press("C-c");
      await pane.shows(box);
      await pane.say("RUN: touch made.txt");
      await pane.shows(/Allow once/);
      await pane.keep("permission-command", {
        ...asks,
        options: 3,
        proposal: { tool: "Shell", command: "touch made.txt" },
      });
      pane.press("Down");
      await pane.shows(/● 2\./);
      await pane.keep("permission-pointer-moved", { ...asks, options: 3 });
      pane.resize(60, 30);
      await pane.keep("permission-resized", { ...asks, options: 3 });
      pane.resize(100, 40);
      await pane.keep("permission-resized-back", { ...asks, options: 3 });
      pane.press("Escape");
      await pane.shows(box);
      await pane.keep("after-escape-of-permission", idle);
      await pane.say("RUN: touch other.txt");
      await pane.shows(/Allow once/);
      await pane.keep("permission-second", { ...asks, proposal: { command: "touch other.txt" } });
      pane.press("3");
      await pane.shows(box);
      await pane.keep("after-denial", idle);
      await pane.say("SLOW 25");
      await pane.shows(/esc to cancel/);
      await pane.keep("busy", { says: "working", draft: "", title: "working" }, true);
      await pane.draft("typed ahead");
      await pane.keep("busy-draft", { says: "working", draft: "typed ahead", title: "working" }, true);
      pane.press("C-c");
      await pane.shows(box);
      pane.press("Escape");
      await pane.hides(/esc to cancel/);
      await pane.keep("after-escape-of-turn", idle);
      await misleadingAnswers(pane, idle);
      await pane.say("RUN: sleep 30");
      await pane.shows(/Allow once/);
      await pane.keep("permission-after-long-output", { ...asks, proposal: { command: "sleep 30" } });
      pane.press("1");
      await pane.shows(/esc to cancel/);
      // Its title changes a moment later.
      await pane.keep("busy-tool", { says: "working" }, true);
    },
  },
  files: {
    async play(pane) {
      await pane.say(say.tool("write_file", { file_path: "notes.md", content: "# Notes\n\nfirst\nsecond\n" }));
      await pane.shows(/Allow once/);
      await pane.keep("permission-write", { ...asks, options: 4, proposal: { tool: "WriteFile", path: "notes.md" } });
      pane.press("1");
      await pane.shows(/It gave/);
      await pane.keep("idle-after-turn", idle);
      const change = { file_path: "notes.md", old_string: "first", new_string: "changed", instruction: "Change it" };
      await pane.say(say.tool("replace", change));
      await pane.shows(/Allow once/);
      await pane.keep("permission-edit", { ...asks, options: 4, proposal: { tool: "Edit", path: "notes.md" } });
    },
  },
  questions: {
    async play(pane) {
      await pane.say(say.tool("ask_user", { questions: [choice(color)] }));
      await pane.shows(/Enter to select/);
      await pane.keep("choice", {
        says: "needs_input",
        kind: "choice",
        options: 3,
        freeText: true,
        title: "needs_input",
      });
      pane.press("Down", "Down");
      await pane.shows(/● 3\./);
      await pane.keep("choice-own-words", { says: "needs_input", kind: "choice", freeText: true });
      pane.press("Escape");
      await pane.shows(box);
      await pane.keep("after-escape-of-question", idle);
      const name = { question: "What is your name?", header: "Name", type: "text" };
      await pane.say(say.tool("ask_user", { questions: [choice(toppings), name] }));
      await pane.shows(/\[ \] Ham/);
      await pane.keep("multi-choice", { says: "needs_input", kind: "multi_choice" });
      pane.press("Enter");
      await pane.shows(/\[x\] Ham/);
      await pane.keep("multi-choice-ticked", { says: "needs_input", kind: "multi_choice" });
      pane.press("Right");
      await pane.shows(/Enter your response/);
      await pane.keep("text", { says: "needs_input", kind: "text", options: 0, freeText: true });
    },
  },
  order: {
    unsettle: ({ home }) => settings(home, { mcpServers: { depot: { command: "node", args: [depot] } } }),
    async play(pane) {
      await pane.say(say.tool("mcp_depot_order", { part: "wheel", amount: 4 }));
      await pane.until("it asks or has done it", ({ lines }) => /Allow|It gave/.test(lines.join("\n")));
      await pane.keep("permission-mcp", { ...asks });
    },
  },
  tricky: trickyPermissions((command) => say.tool("run_shell_command", { command }), {
    dialog: /1\. Allow once/,
    proved: [],
  }),
  narrow: {
    columns: 40,
    async play(pane) {
      await pane.keep("narrow-idle", idle);
      await pane.say("RUN: touch made-by-the-narrow-pane.txt && echo done");
      await pane.shows(/1\. Allow once/);
      await pane.keep("narrow-permission", { ...asks, options: 3 });
      pane.press("Escape");
      await pane.shows(box);
      await narrowTurn(pane, /esc to/, { says: "working", draft: "", title: "working" });
    },
  },
  errors: {
    async play(pane) {
      await pane.say("ERR 400 broken");
      await pane.shows(/broken/);
      await pane.keep("api-error", idle);
      await pane.say("ERR 401 API key expired");
      await pane.shows(/expired[\s\S]*expired/);
      await pane.keep("login-expired", { says: "idle", detail: "login_expired", draft: "" });
      await pane.say("go on");
      await pane.shows(/You said/);
      await pane.keep("idle-after-error", idle);
    },
  },
  login: {
    ready: /1\./,
    env: { GEMINI_API_KEY: "" },
    unsettle: ({ home }) => settings(home, { security: { folderTrust: { enabled: false } } }),
    async play(pane) {
      await pane.keep("login", { says: "needs_input", kind: "choice", detail: "login_expired" });
    },
  },
  untrusted: {
    ready: /1\./,
    unsettle: ({ home }) => settings(home, { security: { folderTrust: { enabled: true } } }),
    async play(pane) {
      await pane.keep("trust", { says: "needs_input", kind: "confirm" });
    },
  },
};

function settings(home: string, more: object): void {
  const base = { security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } } };
  writeFileSync(join(home, ".gemini", "settings.json"), JSON.stringify({ ...base, ...more }));
}
