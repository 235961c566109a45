import type { Scene } from "../stage.ts";
import { misleadingAnswers, shellMode, trickyPermissions } from "./alike.ts";
import { color, manyLines, say, size, toppings } from "./asking.ts";

const idle = { says: "idle", draft: "" } as const;
const asks = { says: "needs_input", kind: "permission", options: 3 } as const;
const ready = /ctrl\+p commands/;
const settled = /▣ {2}Build · Scripted · [\d.]+/;
const choice = ({ multiSelect, ...question }: typeof color | typeof toppings | typeof size) => ({
  ...question,
  ...(multiSelect && { multiple: true }),
});

export const opencodeScenes: Readonly<Record<string, Scene>> = {
  shell: shellMode(/exit shell mode/),
  // Behind `/` and `@` a list stands on the input line, with a bar at both sides.
  completions: {
    async play(pane) {
      const drafted = async (name: string, draft: string, shown: RegExp) => {
        pane.paste(draft);
        await pane.shows(shown);
        await pane.keep(name, { says: "idle", draft });
        pane.press("C-u");
        await pane.hides(shown);
      };
      await drafted("completion-fresh", "/", /Switch agent/);
      await drafted("completion-one", "/new", /New session/);
      await drafted("completion-none", "/zz", /No matching items/);
      await drafted("completion-closed", "/new x", /\/new x/);
      await pane.say("hello");
      await pane.shows(settled);
      await drafted("completion-after-turn", "/", /Compact session/);
      await drafted("completion-file", "see @", /general/);
      pane.resize(40, 20);
      await pane.still();
      await drafted("completion-narrow", "/", /compact/);
      pane.resize(100, 40);
      await pane.say("SLOW 25");
      await pane.shows(/esc interrupt/);
      pane.paste("/new");
      await pane.shows(/New session/);
      await pane.keep("completion-busy", { says: "working", draft: "/new" }, true);
    },
  },
  overlays: {
    async play(pane) {
      const list = { says: "needs_input", kind: "choice", options: 0 } as const;
      await pane.say("LONG 80");
      await pane.shows(settled);
      pane.press("C-p");
      await pane.shows(/Search/);
      await pane.keep("palette", list);
      pane.press("Escape");
      await pane.hides(/Search/);
      await pane.say("/agents");
      await pane.shows(/Select agent/);
      await pane.keep("agent-list", list);
      pane.resize(60, 30);
      await pane.keep("narrow-agent-list", list);
      pane.resize(100, 40);
      pane.press("p");
      await pane.hides(/Search/);
      await pane.keep("agent-list-searched", list);
      pane.press("Escape");
      await pane.hides(/Select agent/);
      await pane.keep("after-escape-of-agent-list", idle);
    },
  },
  commands: {
    async play(pane) {
      await pane.keep("idle-fresh", idle);
      await pane.draft("half a thought");
      await pane.keep("draft-fresh", { says: "idle", draft: "half a thought" });
      pane.press("C-u");
      await pane.hides(/half a thought/);
      await pane.say("hello");
      await pane.shows(settled);
      await pane.keep("idle-after-turn", idle);
      await pane.draft("half a thought");
      await pane.keep("draft", { says: "idle", draft: "half a thought" });
      pane.press("C-u");
      await pane.hides(/half a thought/);
      pane.paste(manyLines);
      await pane.shows(/Pasted/);
      await pane.keep("draft-pasted", { says: "idle", draft: "[Pasted ~30 lines]" });
      pane.press("C-c");
      await pane.hides(/Pasted/);
      await pane.say("RUN: touch made.txt");
      await pane.shows(/Permission required/);
      await pane.keep("permission-command", { ...asks, proposal: { command: "touch made.txt" } });
      pane.press("Right");
      await pane.keep("permission-pointer-moved", asks);
      pane.resize(60, 30);
      await pane.keep("permission-resized", asks);
      pane.resize(100, 40);
      await pane.keep("permission-resized-back", asks);
      pane.press("Escape");
      await pane.hides(/Permission required/);
      await pane.keep("after-escape-of-permission", idle);
      await pane.say("RUN: touch other.txt");
      await pane.shows(/Permission required/);
      await pane.keep("permission-second", { ...asks, proposal: { command: "touch other.txt" } });
      pane.press("Right", "Enter");
      await pane.shows(/Always allow|always/i);
      await pane.keep("permission-always", { says: "needs_input", kind: "permission" });
      pane.press("Escape");
      await pane.keep("permission-always-escaped", asks);
      pane.press("Escape");
      await pane.hides(/Permission required/);
      await pane.keep("after-denial", idle);
      await pane.say("SLOW 25");
      await pane.shows(/esc interrupt/);
      await pane.keep("busy", { says: "working", draft: "" }, true);
      await pane.draft("typed ahead");
      await pane.keep("busy-draft", { says: "working", draft: "typed ahead" }, true);
      pane.press("C-u");
      await pane.hides(/typed ahead/);
      pane.press("Escape");
      await pane.shows(/esc again/);
      await pane.keep("busy-escape-once", { says: "working" }, true);
      pane.press("Escape");
      await pane.hides(/esc (again )?(to )?interrupt/);
      await pane.keep("after-escape-of-turn", idle);
      await misleadingAnswers(pane, idle, /esc (again )?(to )?interrupt/);
      await pane.say("RUN: sleep 30");
      await pane.shows(/Permission required/);
      await pane.keep("permission-after-long-output", { ...asks, proposal: { command: "sleep 30" } });
      pane.press("Enter");
      await pane.shows(/esc interrupt/);
      await pane.keep("busy-tool", { says: "working" }, true);
    },
  },
  files: {
    ready,
    async play(pane) {
      await pane.say(say.tool("write", { filePath: "notes.md", content: "# Notes\n\nfirst\nsecond\n" }));
      await pane.shows(/Permission required/);
      await pane.keep("permission-write", { ...asks, proposal: { tool: "Edit", path: "notes.md" } });
      pane.press("Enter");
      await pane.shows(/It gave/);
      await pane.say(say.tool("edit", { filePath: "notes.md", oldString: "first", newString: "changed" }));
      await pane.shows(/Permission required/);
      await pane.keep("permission-edit", { ...asks, proposal: { tool: "Edit", path: "notes.md" } });
    },
  },
  questions: {
    ready,
    async play(pane) {
      await pane.say(say.tool("question", { questions: [choice(color)] }));
      await pane.shows(/esc dismiss/);
      await pane.keep("choice", { says: "needs_input", kind: "choice", options: 3, freeText: true });
      pane.press("Escape");
      await pane.hides(/esc dismiss/);
      await pane.keep("after-escape-of-question", idle);
      await pane.say(say.tool("question", { questions: [choice(toppings)] }));
      await pane.shows(/esc dismiss/);
      await pane.keep("multi-choice", { says: "needs_input", kind: "multi_choice", freeText: true });
      pane.press("Enter");
      await pane.keep("multi-choice-ticked", { says: "needs_input", kind: "multi_choice" });
      pane.press("Escape");
      await pane.hides(/esc dismiss/);
      await pane.say(say.tool("question", { questions: [choice(color), choice(size)] }));
      await pane.shows(/esc dismiss/);
      await pane.keep("two-questions", { says: "needs_input", kind: "choice" });
    },
  },
  tricky: trickyPermissions((command) => say.tool("bash", { command, description: "Runs it" }), {
    dialog: /Allow once/,
    proved: [],
  }),
  // What only tells something takes all keys too.
  messages: {
    ready,
    async play(pane) {
      const told = { says: "needs_input", kind: "choice", options: 0 } as const;
      for (const [command, shown] of [
        ["status", /No Plugins/],
        ["help", /esc\/enter/],
      ] as const) {
        await pane.say(`/${command}`);
        await pane.shows(shown);
        await pane.keep(`message-${command}`, told);
        pane.resize(60, 30);
        await pane.keep(`narrow-message-${command}`, told);
        pane.resize(100, 40);
        await pane.still();
        pane.press("Escape");
        await pane.hides(shown);
        await pane.keep(`after-escape-of-${command}`, idle);
      }
    },
  },
  wide: {
    columns: 180,
    ready,
    async play(pane) {
      await pane.say("hello");
      await pane.shows(settled);
      await pane.keep("wide-idle", idle);
      await pane.draft("half a thought");
      await pane.keep("wide-draft", { says: "idle", draft: "half a thought" });
      pane.press("C-u");
      await pane.hides(/half a thought/);
      pane.paste("/new");
      await pane.shows(/New session/);
      await pane.keep("wide-completion", { says: "idle", draft: "/new" });
    },
  },
  narrow: {
    columns: 40,
    ready: /Ask anything|ctrl/,
    async play(pane) {
      await pane.keep("narrow-idle", idle);
      await pane.say("RUN: touch made-by-the-narrow-pane.txt && echo done");
      await pane.shows(/Permission required/);
      await pane.keep("narrow-permission", asks);
      pane.press("Escape");
      await pane.hides(/Permission required/);
      await pane.say("SLOW 25");
      await pane.shows(/tick 2/);
      await pane.keep("narrow-busy", { says: "working", draft: "" }, true);
    },
  },
  errors: {
    ready,
    async play(pane) {
      await pane.say("ERR 400 broken");
      await pane.shows(/broken[\s\S]*broken/);
      await pane.keep("api-error", idle);
      await pane.say("ERR 401 invalid key");
      await pane.shows(/invalid key[\s\S]*nvalid key/);
      await pane.keep("login-expired", { says: "idle", detail: "login_expired", draft: "" });
      await pane.say("ERR 429 usage limit");
      await pane.shows(/retrying/);
      await pane.keep("busy-retrying", { says: "working" }, true);
    },
  },
};
