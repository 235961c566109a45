import assert from "node:assert/strict";
import type { Case } from "./cases.ts";

/** Wrong calls are refused with a corrected call. */
export const refusalCases: readonly Case[] = [
  {
    name: "a missing pane or window is refused with the documented message",
    async run({ model, daemon }) {
      await model.does("init");
      const there = model.host === undefined ? {} : { host: model.host };
      const { failed } = await daemon.client.capability({ action: "read", params: { pane: "99.5", ...there } });
      assert.equal(failed, "not_found", "which is exit code 3");
      for (const action of ["read", "send", "kill", "wait"] as const) {
        const params = { pane: "99.5", ...(action === "send" ? { command: "x" } : {}) };
        assert.deepEqual(
          { ...(await model.isRefused(action, params)) },
          { success: false, error: "Pane 99.5 not found", suggestion: "Use action='list' to see available panes" },
        );
      }
      assert.equal(
        (await model.isRefused("split", { window: "99", direction: "vertical" })).error,
        "Window 99 not found",
      );
      assert.equal((await model.isRefused("kill", { window: "99" })).error, "Window 99 not found");
    },
  },
  {
    name: "the last pane and the last window cannot be killed, and the session stays",
    async run({ model, tmux }) {
      await tmux("kill-session", "-t", "=artie").catch(() => "");
      await model.does("init");
      const pane = await model.isRefused("kill", { pane: "0.0" });
      assert.match(pane.error, /Cannot kill pane 0\.0.*last/);
      assert.match(pane.suggestion, /action="split"/);
      assert.match((await model.isRefused("kill", { window: "0" })).error, /Cannot kill window 0.*last/);
      await tmux("has-session", "-t", "=artie");
    },
  },
  {
    name: "every refusal suggests a call that works as it is",
    async run({ model }) {
      await model.does("init");
      const wrong: readonly (readonly [string, Readonly<Record<string, string>>, RegExp])[] = [
        ["sned", { command: "true" }, /no action 'sned'; did you mean 'send'/],
        ["banana", {}, /no action 'banana'/],
        ["", {}, /needs an action/],
        ["send", {}, /'command' is missing/],
        ["send", { comand: "true" }, /no parameter 'comand'; did you mean 'command'/],
        ["read", { pain: "0.0" }, /no parameter 'pain'; did you mean 'pane'/],
        ["read", { pane: "first" }, /'pane' must be window\.pane/],
        ["read", { lines: "many" }, /'lines' must be a whole number/],
        ["read", { since: "perhaps" }, /'since' must be true or false/],
        ["split", { direction: "diagonal" }, /'direction' must be horizontal or vertical/],
        ["split", { direction: "vertical", title: "a\nb" }, /'title' cannot hold/],
        ["window", { cwd: "../x" }, /'cwd' must be an absolute path/],
      ];
      for (const [action, params, error] of wrong) {
        const refusal = await model.isRefused(action, params);
        assert.match(refusal.error, error);
        assert.match(refusal.suggestion, /^<capability name="tmux" action="/);
        const copied = await model.says(refusal.suggestion);
        assert.equal(refusal.suggestion.includes(' host="'), model.host !== undefined, refusal.suggestion);
        assert.ok(copied[0]?.success, `${refusal.suggestion} -> ${JSON.stringify(copied)}`);
      }
    },
  },
  {
    name: "a folder that does not exist is refused and nothing is created",
    async run({ model }) {
      const { windows } = await model.does("list");
      assert.match(
        (await model.isRefused("window", { cwd: "/no/such/folder" })).error,
        /\/no\/such\/folder does not exist/,
      );
      assert.deepEqual((await model.does("list")).windows.length, windows.length);
    },
  },
  {
    name: "text is accepted for numbers and booleans, JSON in data overrides attributes, and order is kept",
    async run({ model }) {
      const { pane } = await model.does("window");
      const host = hostOf(model.host);
      const results = await model.says(
        `First <capability name="tmux" action="read" pane="0.0" lines="5" all="false"${host} data='{"pane": "${pane}", "lines": 7}'/>
         then <CAPABILITY name='tmux' ACTION='nope'/> and <b>last</b>
         <capability name="tmux" action="read" pane=${pane} since="TRUE"${host}></capability>. Thanks!`,
      );
      assert.deepEqual(
        results.map((result) => (result.success ? result.data.pane : result.error.slice(0, 24))),
        [pane, "There is no action 'nope", pane],
      );
    },
  },
];

function hostOf(host: string | undefined): string {
  return host === undefined ? "" : ` host="${host}"`;
}
