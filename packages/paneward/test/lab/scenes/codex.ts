import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Scene } from "../stage.ts";
import { firstDraft, misleadingAnswers, narrowTurn, quotaReached, shellMode, trickyPermissions } from "./alike.ts";
import { color, depot, manyLines, say, size } from "./asking.ts";

const box = /› Ask Codex to do anything/;
const idle = { says: "idle", draft: "", title: "idle" } as const;
const asks = { says: "needs_input", kind: "permission", title: "needs_input" } as const;
const outside = (cmd: string) =>
  say.tool("exec_command", { cmd, sandbox_permissions: "require_escalated", justification: "It makes a file" });
const patch = (text: string) => `${say.tool("exec_command", { cmd: `apply_patch <<'EOF'\n${text}\nEOF` })}`;

export const codexScenes: Readonly<Record<string, Scene>> = {
  shell: shellMode(/Shell mode/),
  commands: {
    async play(pane) {
      await firstDraft(pane, { says: "idle", draft: "" }, "C-c", box);
      pane.paste(manyLines);
      await pane.keep("draft-pasted", { says: "idle" });
      pane.press("C-c");
      await pane.shows(box);
      await pane.say(outside("touch made.txt"));
      await pane.shows(/Press enter to confirm/);
      await pane.keep("permission-command", { ...asks, options: 3, proposal: { command: "touch made.txt" } });
      pane.press("Down");
      await pane.shows(/› 2\./);
      await pane.keep("permission-pointer-moved", { ...asks, options: 3 });
      pane.resize(60, 30);
      await pane.keep("permission-resized", { ...asks, options: 3 });
      pane.resize(100, 40);
      await pane.keep("permission-resized-back", { ...asks, options: 3 });
      pane.press("Escape");
      await pane.shows(/interrupted/);
      await pane.keep("after-escape-of-permission", idle);
      await pane.say(outside("touch other.txt"));
      await pane.shows(/Press enter to confirm/);
      await pane.keep("permission-second", { ...asks, proposal: { command: "touch other.txt" } });
      pane.press("3");
      await pane.shows(box);
      await pane.keep("after-denial", idle);
      await pane.say("SLOW 25");
      await pane.shows(/tick 2/);
      await pane.keep("busy", { says: "working", draft: "", title: "working" }, true);
      await pane.draft("typed ahead");
      await pane.keep("busy-draft", { says: "working", draft: "typed ahead", title: "working" }, true);
      pane.press("C-c");
      await pane.shows(box);
      pane.press("Escape");
      await pane.shows(/tick[\s\S]*interrupted/);
      await pane.keep("after-escape-of-turn", idle);
      await misleadingAnswers(pane, idle);
      await pane.say(outside("sleep 30"));
      await pane.shows(/Press enter to confirm/);
      await pane.keep("permission-after-long-output", { ...asks, proposal: { command: "sleep 30" } });
      pane.press("y");
      await pane.shows(/esc to interrupt/);
      await pane.keep("busy-tool", { says: "working", title: "working" }, true);
    },
  },
  files: {
    args: ["-c", 'sandbox_mode="read-only"'],
    async play(pane) {
      await pane.say(patch("*** Begin Patch\n*** Add File: notes.md\n+# Notes\n+first\n*** End Patch"));
      await pane.until("it asks or has done it", ({ lines }) => /Press enter|It gave/.test(lines.join("\n")));
      await pane.keep("permission-write", { ...asks, proposal: { path: "/var/tmp/dev-codex/shop/notes.md" } });
      pane.press("y");
      await pane.shows(/It gave/);
      await pane.keep("idle-after-turn", idle);
      await pane.say(patch("*** Begin Patch\n*** Update File: notes.md\n@@\n-first\n+changed\n*** End Patch"));
      await pane.shows(/Press enter to confirm/);
      await pane.keep("permission-edit", { ...asks, proposal: { path: "/var/tmp/dev-codex/shop/notes.md" } });
    },
  },
  questions: {
    async play(pane) {
      await pane.say(say.tool("request_user_input", { questions: [{ id: "color", ...color }] }));
      await pane.until("it asks or refuses", ({ lines }) => /Red\n|It gave/.test(lines.join("\n")));
      await pane.keep("choice-refused", { says: "idle" });
    },
  },
  // Only there it has a tool to ask with.
  planning: {
    async play(pane) {
      const ask = say.tool("request_user_input", { questions: [{ id: "color", ...color }] });
      await pane.say("/plan");
      await pane.shows(/Plan mode \(/);
      await pane.keep("plan-mode", { says: "idle", draft: "" });
      await pane.say(ask);
      await pane.shows(/None of the above/);
      const choice = { says: "needs_input", kind: "choice", options: 3, freeText: true, title: "needs_input" } as const;
      await pane.keep("choice", choice);
      pane.press("Down");
      await pane.shows(/› 2\./);
      await pane.keep("choice-pointer-moved", choice);
      pane.press("Tab");
      await pane.shows(/Add notes/);
      await pane.keep("choice-with-notes", { ...choice, freeText: false });
      pane.press("Escape");
      await pane.shows(/tab to add notes/);
      pane.press("2");
      await pane.shows(/It gave/);
      await pane.keep("after-choice", idle);
      const both = {
        questions: [
          { id: "color", ...color },
          { id: "size", ...size },
        ],
      };
      await pane.say(say.tool("request_user_input", both));
      await pane.shows(/Question 1\/2/);
      await pane.keep("choice-first-of-two", choice);
      pane.press("2");
      await pane.shows(/Question 2\/2/);
      await pane.keep("choice-second-of-two", choice);
      pane.press("Escape");
      await pane.shows(/interrupted/);
      await pane.say("Plan:\n<proposed_plan>\n- paint it\n</proposed_plan>");
      await pane.shows(/Implement this plan\?/);
      await pane.keep("plan", { says: "needs_input", kind: "plan", options: 3 });
    },
  },
  hooks: {
    args: ["-c", 'hooks={Stop=[{hooks=[{type="command",command="true",timeout=5}]}]}'],
    ready: /Hooks need review/,
    async play(pane) {
      await pane.keep("hooks-need-review", { says: "needs_input", kind: "confirm", options: 3 });
    },
  },
  order: {
    args: ["-c", 'mcp_servers.depot.command="node"', "-c", `mcp_servers.depot.args=["${depot}"]`],
    async play(pane) {
      await pane.say(say.tool("mcp__depot/order", { part: "wheel", amount: 4 }));
      await pane.until("it asks or has done it", ({ lines }) => /enter to|It gave/i.test(lines.join("\n")));
      await pane.keep("permission-mcp", { ...asks });
    },
  },
  tricky: trickyPermissions(outside, { dialog: /enter to confirm/, proved: [] }),
  narrow: {
    columns: 40,
    async play(pane) {
      await pane.keep("narrow-idle", { says: "idle", draft: "" });
      await pane.say(outside("touch made-by-the-narrow-pane.txt && echo done"));
      await pane.shows(/enter to confirm/);
      await pane.keep("narrow-permission", {
        ...asks,
        options: 3,
        proposal: { command: "touch made-by-the-narrow-pane.txt && echo done" },
      });
      pane.press("Escape");
      await pane.shows(/interrupted/);
      await narrowTurn(pane, /tick 2/, { says: "working", draft: "" });
    },
  },
  errors: {
    async play(pane) {
      await quotaReached(pane, idle, "ERR 429 usage limit", /usage limit\./);
      await pane.say("ERR 401 invalid key");
      await pane.shows(/401/);
      await pane.keep("login-expired", { says: "idle", detail: "login_expired", draft: "" });
      await pane.say("ERR 400 broken");
      await pane.shows(/broken/);
      await pane.keep("api-error", { says: "idle", draft: "" });
    },
  },
  untrusted: {
    ready: /› 1\./,
    unsettle: ({ home, model }) => settings(home, model, false),
    async play(pane) {
      await pane.keep("trust", { says: "needs_input", kind: "confirm" });
    },
  },
  login: {
    ready: /Sign in|1\./,
    unsettle: ({ home }) => writeFileSync(join(home, ".codex", "config.toml"), "check_for_update_on_startup = false\n"),
    async play(pane) {
      await pane.keep("login", { says: "needs_input", kind: "choice", detail: "login_expired" });
    },
  },
};

function settings(home: string, model: string, _trusted: boolean): void {
  const provider = `[model_providers.scripted]\nname = "scripted"\nbase_url = "${model}/v1"\nwire_api = "responses"\nenv_key = "SCRIPTED_KEY"\n`;
  const text = `model = "gpt-scripted"\nmodel_provider = "scripted"\ncheck_for_update_on_startup = false\n${provider}`;
  writeFileSync(join(home, ".codex", "config.toml"), text);
}
