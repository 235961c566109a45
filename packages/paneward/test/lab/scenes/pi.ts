import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Scene } from "../stage.ts";
import { firstDraft, misleadingAnswers, quotaReached } from "./alike.ts";
import { manyLines, say } from "./asking.ts";

const idle = { says: "idle", draft: "" } as const;
const quiet = /─{20}\n\s*\n─{20}/;

export const piScenes: Readonly<Record<string, Scene>> = {
  commands: {
    async play(pane) {
      await firstDraft(pane, idle, "C-u", quiet);
      pane.paste(manyLines);
      await pane.shows(/paste #1/);
      await pane.keep("draft-pasted", { says: "idle", draft: "[paste #1 +30 lines]" });
      pane.press("C-c");
      await pane.shows(quiet);
      pane.paste("one\ntwo");
      await pane.shows(/two/);
      await pane.keep("draft-two-lines", { says: "idle", draft: "one\ntwo" });
      pane.press("C-c");
      await pane.shows(quiet);
      await pane.say("RUN: echo made");
      await pane.shows(/It gave/);
      await pane.keep("idle-after-turn", idle);
      await pane.say("RUN: sleep 20");
      await pane.shows(/Working/);
      await pane.keep("busy-tool", { says: "working" }, true);
      pane.resize(60, 30);
      await pane.keep("busy-resized", { says: "working" }, true);
      pane.resize(100, 40);
      pane.press("Escape");
      await pane.hides(/Working/);
      await pane.keep("after-escape-of-tool", idle);
      await pane.say("SLOW 25");
      await pane.shows(/tick 2/);
      await pane.keep("busy", { says: "working", draft: "" }, true);
      await pane.draft("typed ahead");
      await pane.keep("busy-draft", { says: "working", draft: "typed ahead" }, true);
      pane.press("Enter");
      await pane.shows(/Steering|queued|typed ahead/i);
      await pane.keep("busy-queued", { says: "working" }, true);
      pane.press("Escape");
      await pane.hides(/Working/);
      await pane.keep("after-escape-of-turn", { says: "idle" });
      pane.press("C-c");
      await pane.shows(quiet);
      await misleadingAnswers(pane, idle, /Working/);
      await pane.say(say.tool("write", { path: "notes.md", content: "# Notes\nfirst\n" }));
      await pane.shows(/It gave/);
      await pane.hides(/Working/);
      await pane.keep("idle-after-write", idle);
      await pane.say("/model");
      await pane.keep("model-selector", { says: "needs_input", kind: "choice" });
      pane.press("Escape");
      await pane.shows(quiet);
      await pane.keep("after-escape-of-selector", idle);
    },
  },
  questions: {
    args: ["-e", "/var/tmp/dev-pi/asks.ts"],
    unsettle: ({ home }) => writeFileSync(join(home, "asks.ts"), asking),
    async play(pane) {
      await pane.say("/select");
      await pane.shows(/Blue/);
      await pane.keep("choice", { says: "needs_input", kind: "choice", options: 2, freeText: false });
      pane.press("Down");
      await pane.shows(/→ Blue/);
      await pane.keep("choice-pointer-moved", { says: "needs_input", kind: "choice", options: 2 });
      pane.press("Escape");
      await pane.shows(quiet);
      await pane.keep("after-escape-of-question", idle);
      await pane.say("/confirm");
      await pane.shows(/Yes/);
      await pane.keep("confirm", { says: "needs_input", kind: "choice", options: 2 });
      pane.press("Escape");
      await pane.shows(quiet);
      await pane.say("/input");
      await pane.shows(/your name/);
      await pane.keep("text", { says: "needs_input", kind: "text", freeText: true });
      pane.press("Escape");
      await pane.shows(quiet);
      await pane.say("/select");
      await pane.shows(/Blue/);
      pane.resize(40, 30);
      await pane.keep("choice-resized", { says: "needs_input", kind: "choice", options: 2 });
    },
  },
  narrow: {
    columns: 40,
    async play(pane) {
      await pane.keep("narrow-idle", idle);
      await pane.draft("a thought that is longer than the pane is wide");
      await pane.keep("narrow-draft", { says: "idle", draft: "a thought that is longer than the pane is wide" });
      pane.press("C-u");
      pane.press("C-c");
      await pane.shows(/─{20}\n\s*\n─{20}/);
      await pane.say("SLOW 25");
      await pane.shows(/Working/);
      await pane.keep("narrow-busy", { says: "working", draft: "" }, true);
    },
  },
  errors: {
    async play(pane) {
      await quotaReached(pane, idle, "ERR 429 You exceeded your current quota", /Error: 429/);
      await pane.say("ERR 401 invalid key");
      await pane.shows(/Error: 401/);
      await pane.keep("login-expired", { says: "idle", detail: "login_expired", draft: "" });
      await pane.say("ERR 500 broken");
      await pane.shows(/Error: 500/);
      await pane.keep("api-error", idle);
    },
  },
  untrusted: {
    ready: /trust/i,
    unsettle({ home, project, model }) {
      mkdirSync(join(project, ".pi"), { recursive: true });
      writeFileSync(join(project, ".pi", "settings.json"), "{}");
      rmSync(join(home, ".pi", "agent", "settings.json"));
      const settings = { defaultProvider: "scripted", defaultModel: "scripted", quietStartup: true, url: model };
      writeFileSync(join(home, ".pi", "agent", "settings.json"), JSON.stringify(settings));
    },
    async play(pane) {
      await pane.keep("trust", { says: "needs_input", kind: "choice" });
    },
  },
};

// An extension that asks in pi's own three ways.
const asking = `export default function (pi) {
  pi.registerCommand("select", { description: "s", handler: async (_, ctx) => { await ctx.ui.select("Which color do you like best?", ["Red", "Blue"]); } });
  pi.registerCommand("confirm", { description: "c", handler: async (_, ctx) => { await ctx.ui.confirm("Delete everything?", "It cannot be undone."); } });
  pi.registerCommand("input", { description: "i", handler: async (_, ctx) => { await ctx.ui.input("What is your name?", "your name"); } });
}
`;
