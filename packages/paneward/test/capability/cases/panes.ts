import assert from "node:assert/strict";
import { until } from "../../support/until.ts";
import type { Case } from "./cases.ts";

/** Sessions, windows and panes, and their addresses. */
export const paneCases: readonly Case[] = [
  {
    name: "init creates the session, and does nothing the second time",
    async run({ model, tmux }) {
      const fresh = {
        session: "artie",
        windows: [{ id: 0, name: "workspace", panes: 1 }],
        active_pane: "0.0",
      };
      assert.deepEqual(await model.does("init"), fresh);
      const pid = await tmux("display-message", "-p", "-t", "=artie:", "#{pane_pid}");
      assert.deepEqual(await model.does("init"), fresh);
      assert.equal(await tmux("display-message", "-p", "-t", "=artie:", "#{pane_pid}"), pid);
    },
  },
  {
    name: "the session has the seed's settings, and no other session has them",
    async run({ model, tmux }) {
      await model.does("init");
      assert.equal(await tmux("display-message", "-p", "-t", "=artie:", "#{history_limit}"), "10000");
      for (const [option, value] of [
        ["mouse", "on"],
        ["history-limit", "10000"],
        ["status-style", "bg=blue,fg=white"],
      ] as const) {
        assert.equal(await tmux("show-options", "-v", "-t", "=artie:", option), value);
      }
      assert.notEqual(await tmux("show-options", "-gv", "status-style"), "bg=blue,fg=white");
    },
  },
  {
    name: "any action creates a missing session",
    async run({ model, tmux }) {
      for (const [action, params] of [
        ["list", {}],
        ["send", { command: "true" }],
        ["read", {}],
        ["split", { direction: "vertical" }],
        ["window", {}],
      ] as const) {
        await tmux("kill-session", "-t", "=artie").catch(() => "");
        assert.ok(await model.does(action, params), action);
        await tmux("has-session", "-t", "=artie");
      }
      await tmux("kill-session", "-t", "=artie");
      assert.match((await model.isRefused("kill", { pane: "0.0" })).error, /last/);
    },
  },
  {
    name: "without 0.0 the default pane is the first living one, and init makes 0.0 again",
    async run({ model, tmux }) {
      await tmux("kill-session", "-t", "=artie").catch(() => "");
      const { pane } = await model.does("window", { name: "later" });
      await model.does("kill", { pane: "0.0" });
      for (const [action, params] of [
        ["send", { command: "echo first-$((1+1))" }],
        ["wait", { pattern: "first-2$" }],
        ["read", {}],
      ] as const) {
        assert.equal((await model.does(action, params)).pane, pane, action);
      }
      assert.equal((await model.does("split", { direction: "vertical" })).window, 1);
      assert.equal((await model.does("layout", { mode: "restore", name: "tiled" })).window, 1);
      assert.equal((await model.isRefused("read", { pane: "0.0" })).error, "Pane 0.0 not found");
      const { windows } = await model.does("init");
      assert.deepEqual(windows, [
        { id: 0, name: "workspace", panes: 1 },
        { id: 1, name: "later", panes: 2 },
      ]);
      assert.equal((await model.does("send", { command: "true" })).pane, "0.0");
      assert.equal((await model.does("window")).window, 2);
      await model.does("split", { direction: "vertical" });
      await model.does("kill", { pane: "0.0" });
      assert.equal((await model.does("init")).windows[0].panes, 2);
      assert.equal((await model.does("read")).pane, "0.0");
      assert.equal((await model.does("split", { direction: "horizontal" })).pane, "0.2");
    },
  },
  {
    name: "a person sees the session: its screen, by name and by address, and how to attach",
    async run({ model, daemon, tmux }) {
      // Only the configured host's session has a name without a host.
      if (model.host !== undefined) return;
      await tmux("kill-session", "-t", "=artie").catch(() => "");
      await assert.rejects(daemon.client.screen({ id: "artie" }), { code: "not_found" });
      await assert.rejects(daemon.client.attach({ id: "artie" }), { code: "not_found" });
      await model.does("send", { command: "echo seen-$((1+1))" });
      await model.does("wait", { pattern: "seen-2$" });
      for (const id of ["artie", "artie:0.0"]) {
        const screen = await daemon.client.screen({ id });
        assert.equal(screen.id, "artie:0.0");
        assert.match(screen.lines.join("\n"), /^seen-2$/m);
      }
      await assert.rejects(daemon.client.screen({ id: "artie:0.7" }), { code: "not_found" });
      const { argv, session, started } = await daemon.client.attach({ id: "artie" });
      assert.deepEqual([session, started, argv.at(-1)], ["artie", false, "=artie"]);
      assert.equal((await daemon.client.sessions({})).sessions.find(({ name }) => name === session)?.attached, 0);
    },
  },
  {
    name: "split returns pane, window, title and folder; vertical is below, horizontal on the right",
    async run({ model, tmux, folder }) {
      const { pane, window } = await model.does("window", { cwd: folder });
      const number = String(window);
      const below = await model.does("split", { window: number, direction: "vertical" });
      assert.deepEqual(below, { pane: `${number}.1`, window, title: "New pane", cwd: folder });
      const right = await model.does("split", { window: number, direction: "horizontal", title: "logs", cwd: "/" });
      assert.deepEqual(right, { pane: `${number}.2`, window, title: "logs", cwd: "/" });
      const format = "#{@paneward_address} #{pane_left} #{pane_top}";
      const places = (await tmux("list-panes", "-s", "-t", "=artie:", "-F", format)).split("\n");
      const placeOf = (address: string) =>
        places
          .find((line) => line.startsWith(`${address} `))
          ?.split(" ")
          .slice(1)
          .map(Number);
      assert.deepEqual(placeOf(pane), [0, 0]);
      assert.ok((placeOf(below.pane)?.[1] ?? 0) > 0, "below");
      assert.ok((placeOf(right.pane)?.[0] ?? 0) > 0, "on the right");
    },
  },
  {
    name: "a window can be split many times; without room its panes are tiled",
    async run({ model }) {
      const { window } = await model.does("window");
      for (let index = 1; index <= 12; index++) {
        const { pane } = await model.does("split", { window: String(window), direction: "vertical" });
        assert.equal(pane, `${window}.${index}`);
      }
      await model.does("kill", { window: String(window) });
    },
  },
  {
    name: "a pane's title, folder and creation time are in its environment and in tmux options",
    async run({ model, tmux, folder }) {
      const { window } = await model.does("window");
      const { pane } = await model.does("split", {
        window: String(window),
        direction: "vertical",
        title: "a 'b' $HOME",
        cwd: folder,
      });
      const format = "#{@paneward_address}|#{@PANE_TITLE}|#{@PANE_CWD}|#{@PANE_CREATED}|#{pane_id}";
      const options = (await tmux("list-panes", "-s", "-t", "=artie:", "-F", format)).split("\n");
      const line = options.find((one) => one.startsWith(`${pane}|`)) ?? "";
      const [, title, cwd, created = "", id = ""] = line.split("|");
      assert.deepEqual([title, cwd], ["a 'b' $HOME", folder]);
      assert.ok(Math.abs(Date.parse(created) - Date.now()) < 3_600_000, created);
      const command = 'printf "<%s>" "$PANE_TITLE" "$PANE_CWD" "$PANE_CREATED"';
      await model.does("send", { pane, command });
      const shown = await until("the environment is shown", async () => {
        const { output } = await model.does("read", { pane });
        return output.includes(`<${created}>`) && output;
      });
      assert.ok(shown.includes(`<a 'b' $HOME><${folder}><${created}>`), shown);
      assert.equal(await tmux("show-options", "-pv", "-t", id, "@PANE_COMMAND"), command);
      const at = Date.parse(await tmux("show-options", "-pv", "-t", id, "@PANE_COMMAND_AT"));
      assert.ok(Math.abs(at - Date.now()) < 3_600_000);
    },
  },
  {
    name: "an address survives when a neighbour is killed, and is never reused",
    async run({ model }) {
      const { window } = await model.does("window");
      const number = String(window);
      await model.does("split", { window: number, direction: "vertical" });
      await model.does("split", { window: number, direction: "vertical" });
      await model.does("send", { pane: `${number}.2`, command: "echo second-$((1+1))" });
      assert.deepEqual(await model.does("kill", { pane: `${number}.1` }), { killed: `${number}.1`, type: "pane" });
      await until("the second pane still answers under its address", async () => {
        const { output } = await model.does("read", { pane: `${number}.2` });
        return output.includes("second-2");
      });
      const { error, suggestion } = await model.isRefused("read", { pane: `${number}.1` });
      assert.equal(error, `Pane ${number}.1 not found`);
      assert.equal(suggestion, "Use action='list' to see available panes");
      const next = await model.does("split", { window: number, direction: "vertical" });
      assert.equal(next.pane, `${number}.3`);
    },
  },
  {
    name: "a window's number is never reused",
    async run({ model }) {
      const first = await model.does("window", { name: "experiments" });
      assert.deepEqual(Object.keys(first).sort(), ["name", "pane", "window"]);
      assert.deepEqual([first.name, first.pane], ["experiments", `${first.window}.0`]);
      const killed = await model.does("kill", { window: String(first.window) });
      assert.deepEqual(killed, { killed: String(first.window), type: "window" });
      assert.equal((await model.does("window")).window, first.window + 1);
    },
  },
  {
    name: "list shows what is running: the command line, or the shell's name",
    async run({ model, folder }) {
      const { pane, window } = await model.does("window", { name: "list.me", cwd: folder });
      const shown = async () => {
        const { session, windows } = await model.does("list");
        assert.equal(session, "artie");
        return windows.find((one: { id: number }) => one.id === window);
      };
      // Just after the fork it is a copy of tmux, in tmux's folder.
      await until("the shell has begun", async () => /^(ba|da|z)?sh$/.test((await shown()).panes[0].running));
      const { running: _shell, ...rest } = (await shown()).panes[0];
      assert.deepEqual(rest, { id: pane, title: "main", cwd: folder, active: false });
      await model.does("send", { pane, command: "sleep 1234" });
      await until("the command line is shown", async () => (await shown()).panes[0].running === "sleep 1234");
      assert.equal((await shown()).name, "list.me");
    },
  },
  {
    name: "a pane whose shell ended gets a new shell with the next command",
    async run({ model }) {
      const { pane } = await model.does("window");
      await model.does("send", { pane, command: "exit 3" });
      await until("the shell has ended", async () => {
        const { windows } = await model.does("list");
        const panes = windows.flatMap((one: { panes: { id: string; running: string }[] }) => one.panes);
        return panes.some((one: { id: string; running: string }) => one.id === pane && one.running === "(exited 3)");
      });
      await model.does("send", { pane, command: "echo alive-$((1+1))" });
      await until("the new shell answers", async () => (await model.does("read", { pane })).output.includes("alive-2"));
    },
  },
  {
    name: "a pane made by hand gets an address and can be used",
    async run({ model, tmux }) {
      const { window, pane } = await model.does("window", { name: "by-hand" });
      await tmux("split-window", "-d", "-t", `=artie:${window}`);
      const { windows } = await model.does("list");
      const inside = windows
        .find((one: { id: number }) => one.id === window)
        .panes.map((one: { id: string }) => one.id);
      assert.deepEqual(inside, [pane, `${window}.1`]);
      await model.does("read", { pane: `${window}.1`, since: "true" });
      await model.does("send", { pane: `${window}.1`, command: "echo adopted-$((1+1))" });
      await until("its output is read", async () =>
        (await model.does("read", { pane: `${window}.1` })).output.includes("adopted-2"),
      );
    },
  },
];
