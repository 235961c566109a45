import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { until } from "../../support/until.ts";
import { castFaults } from "../support/cast.ts";
import { run } from "../support/workbench.ts";
import type { Case } from "./cases.ts";

/** Recording, synchronising, layouts and snapshots. */
export const layoutCases: readonly Case[] = [
  {
    name: "a recording is a playable asciicast file",
    async run({ model }) {
      const { pane } = await model.does("window");
      await model.does("record", { pane, mode: "start", name: `case-${pane}` });
      assert.match((await model.isRefused("record", { pane, mode: "start" })).suggestion, /mode="stop"/);
      await model.does("send", { pane, command: String.raw`printf '\033[31mröd-%s\033[0m\n' $((6*7))` });
      await model.does("wait", { pane, pattern: "röd-42" });
      const { file, events, seconds } = await model.does("record", { pane, mode: "stop" });
      const text = await readFile(file, "utf8");
      assert.deepEqual(castFaults(text), []);
      assert.ok(events > 0 && seconds >= 0);
      assert.match(text, /röd-42/);
      // The player needs a terminal.
      const played = await run("script", "-qec", `asciinema cat '${file}'`, "/dev/null");
      assert.match(played, /\u001b\[31mröd-42\u001b\[0m/);
      assert.match((await model.isRefused("record", { pane, mode: "stop" })).suggestion, /mode="start"/);
    },
  },
  {
    name: "a recording starts with the screen and its cursor, and is saved when its pane is killed",
    async run({ model }) {
      const { pane } = await model.does("window");
      await model.does("send", { pane, command: "printf 'na''me> '; read -r name; echo I am $name" });
      await model.does("wait", { pane, pattern: "^name> $" });
      const { file } = await model.does("record", { pane, mode: "start", name: `killed-${pane}` });
      await model.does("send", { pane, command: "Ada" });
      await model.does("wait", { pane, pattern: "I am Ada" });
      assert.deepEqual(await model.does("kill", { pane }), { killed: pane, type: "pane" });
      const text = await readFile(file, "utf8");
      assert.deepEqual(castFaults(text), []);
      assert.match(text, /^\[0,"o",".*name>.*\\u001b\[\d+;7H/m);
      assert.match(text, /I am Ada/);
    },
  },
  {
    name: "a synchronised window types into all its panes",
    async run({ model }) {
      const { pane, window } = await model.does("window");
      const number = String(window);
      const other = await model.does("split", { window: number, direction: "vertical" });
      const panes = [pane, other.pane];
      assert.deepEqual(await model.does("sync", { window: number, mode: "on" }), { window, synchronized: true, panes });
      await model.does("send", { pane, command: "echo both-$((1+1))" });
      for (const one of panes) await model.does("wait", { pane: one, pattern: "both-2$" });
      assert.equal((await model.does("sync", { window: number, mode: "off" })).synchronized, false);
      await model.does("send", { pane, command: "echo only-$((1+1))" });
      await model.does("wait", { pane, pattern: "only-2$" });
      assert.ok(!(await model.does("read", { pane: other.pane })).output.includes("only-2"));
    },
  },
  {
    name: "a layout is saved and restored by name; one for another number of panes is refused",
    async run({ model, tmux }) {
      const { window } = await model.does("window");
      const number = String(window);
      await model.does("split", { window: number, direction: "vertical" });
      await model.does("split", { window: number, direction: "horizontal" });
      const layout = () => tmux("display-message", "-p", "-t", `=artie:${number}`, "#{window_layout}");
      const before = await layout();
      const saved = await model.does("layout", { window: number, mode: "save", name: "mine" });
      assert.deepEqual(saved, { window, name: "mine", saved: true, panes: 3 });
      await model.does("layout", { window: number, mode: "restore", name: "even-vertical" });
      assert.notEqual(await layout(), before);
      await model.does("layout", { window: number, mode: "restore", name: "mine" });
      assert.equal(await layout(), before);
      await model.does("kill", { pane: `${number}.2` });
      assert.match(
        (await model.isRefused("layout", { window: number, mode: "restore", name: "mine" })).error,
        /3 panes/,
      );
      assert.match(
        (await model.isRefused("layout", { window: number, mode: "restore", name: "yours" })).error,
        /no layout 'yours'.*mine/,
      );
    },
  },
  {
    name: "a snapshot restores a lost session with addresses, layout, titles, folders and commands",
    async run({ model, tmux, folder }) {
      await tmux("kill-session", "-t", "=artie").catch(() => "");
      await model.does("split", { window: "0", direction: "vertical", title: "below", cwd: folder });
      await model.does("split", { window: "0", direction: "horizontal", title: "right" });
      await model.does("kill", { pane: "0.1" });
      await model.does("split", { window: "0", direction: "vertical", title: "third", cwd: folder });
      await model.does("window", { name: "projects", cwd: folder });
      await model.does("send", { pane: "1.0", command: "sleep 4321" });
      const listed = async () => {
        const { windows } = await model.does("list");
        const layout = await tmux("list-windows", "-t", "=artie:", "-F", "#{window_layout}");
        return { windows, layout: layout.replace(/^\w+,|,\d+(?=[,\]}\n]|$)/gm, "") };
      };
      const before = await until("the command runs", async () => {
        const now = await listed();
        return now.windows[1].panes[0].running === "sleep 4321" && now;
      });
      const saved = await model.does("snapshot", { mode: "save", name: "evening" });
      assert.deepEqual(saved, { name: "evening", saved: true, windows: 2, panes: 4 });
      await tmux("kill-session", "-t", "=artie");
      const restored = await model.does("snapshot", { mode: "restore", name: "evening" });
      assert.ok(restored.panes.every(({ from, pane }: { from: string; pane: string }) => from === pane));
      await until("everything is as before", async () => JSON.stringify(await listed()) === JSON.stringify(before));
      const again = await model.does("snapshot", { mode: "restore", name: "evening" });
      assert.deepEqual(
        again.panes.map(({ pane }: { pane: string }) => pane.split(".")[0]),
        ["2", "2", "2", "3"],
      );
      assert.match((await model.isRefused("snapshot", { mode: "restore", name: "morning" })).suggestion, /evening/);
    },
  },
];
