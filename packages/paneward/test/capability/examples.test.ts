import assert from "node:assert/strict";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { startDaemon, type TestDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";
import { type Model, modelAt, type Result } from "./support/model.ts";
import { run } from "./support/workbench.ts";

/** A model with a stub of npm that prints its arguments and some output, and keeps running or exits as npm would. */
async function modelWithNpm(t: TestContext): Promise<{ readonly model: Model; readonly daemon: TestDaemon }> {
  const daemon = await startDaemon(t);
  const bin = join(daemon.folder, "bin");
  mkdirSync(bin);
  writeFileSync(
    join(bin, "npm"),
    `#!/bin/sh
echo "npm $*"
case "$*" in
  "test -- --watch") echo "12 passing"; exec sleep 1000 ;;
  "run dev") echo "listening on 3000"; exec sleep 1000 ;;
  "run build") i=0; while [ $i -lt 300 ]; do i=$((i+1)); echo "module $i"; done; echo "build done" ;;
  install) echo "added 3 packages" ;;
esac
`,
  );
  chmodSync(join(bin, "npm"), 0o755);
  // The tmux server has the daemon's PATH, so the shell has to be given the stub's folder.
  const model = modelAt("http", daemon);
  await model.does("send", { command: `PATH=${bin}:$PATH; export PATH` });
  return { model, daemon };
}

const okay = (results: readonly Result[]) => results.every(({ success }) => success);

async function shows(model: Model, pane: string, text: RegExp): Promise<string> {
  return until(`${pane} shows ${text}`, async () => {
    const { output } = await model.does("read", { pane, lines: "500" });
    return text.test(output) && output;
  });
}

describe("the seed's usage examples", () => {
  test("1: run tests in the background", async (t) => {
    const { model } = await modelWithNpm(t);
    const results = await model.says(`
      <!-- Initialize tmux -->
      <capability name="tmux" action="init" />

      <!-- Start test suite -->
      <capability name="tmux" action="send"
        pane="0.0"
        command="npm test -- --watch" />

      <!-- Check output after 5 seconds -->
      <capability name="tmux" action="read"
        pane="0.0"
        lines="50" />`);
    assert.equal(results.length, 3);
    assert.ok(okay(results), JSON.stringify(results));
    await shows(model, "0.0", /^12 passing$/m);
  });

  test("2: watch several processes at once", async (t) => {
    const { model, daemon } = await modelWithNpm(t);
    const log = join(daemon.folder, "app.log");
    writeFileSync(log, "started\n");
    const results = await model.says(`
      <capability name="tmux" action="split"
        window="0"
        direction="horizontal" />
      <capability name="tmux" action="send"
        pane="0.0"
        command="npm run dev" />
      <capability name="tmux" action="send"
        pane="0.1"
        command="tail -f ${log}" />
      <capability name="tmux" action="read" pane="0.0" />
      <capability name="tmux" action="read" pane="0.1" />`);
    assert.equal(results.length, 5);
    assert.ok(okay(results), JSON.stringify(results));
    await shows(model, "0.0", /^listening on 3000$/m);
    await shows(model, "0.1", /started$/m);
    writeFileSync(log, "started\nsomething happened\n");
    await shows(model, "0.1", /^something happened$/m);
    await until("both command lines are listed", async () => {
      const [{ panes }] = (await model.does("list")).windows;
      const running = panes.map((pane: { running: string }) => pane.running);
      return running[0] === "sleep 1000" && running[1] === `tail -f ${log}`;
    });
  });

  test("3: set up a project with its own window, a clone and a dev server", async (t) => {
    const { model, daemon } = await modelWithNpm(t);
    const remote = join(daemon.folder, "remote", "repo");
    const git = (...args: readonly string[]) => run("env", `HOME=${daemon.folder}`, "git", "-C", remote, ...args);
    mkdirSync(remote, { recursive: true });
    await git("init", "-q");
    await git("commit", "-q", "--allow-empty", "-m", "first");
    const path = `PATH=${join(daemon.folder, "bin")}:$PATH`;
    const results = await model.says(`
      <capability name="tmux" action="window"
        name="myproject" />
      <capability name="tmux" action="send"
        pane="1.0"
        command="git clone ${remote} && cd repo" />
      <capability name="tmux" action="wait" pane="1.0" />
      <capability name="tmux" action="split"
        window="1"
        direction="vertical" />
      <capability name="tmux" action="send"
        pane="1.1"
        command="${path}; npm install && npm run dev" />`);
    assert.equal(results.length, 5);
    assert.ok(okay(results), JSON.stringify(results));
    const [window, , , split] = results;
    assert.deepEqual(window, { success: true, data: { window: 1, name: "myproject", pane: "1.0" } });
    assert.ok(split?.success);
    assert.deepEqual(split.data, { pane: "1.1", window: 1, title: "New pane", cwd: join(daemon.folder, "repo") });
    await shows(model, "1.1", /^added 3 packages$[\s\S]*^listening on 3000$/m);
  });

  test("4: read output piece by piece", async (t) => {
    const { model } = await modelWithNpm(t);
    const [sent, first] = await model.says(`
      <capability name="tmux" action="send"
        pane="0.0"
        command="npm run build" />
      <capability name="tmux" action="read"
        pane="0.0"
        lines="100" />`);
    assert.ok(sent?.success && first?.success);
    await model.does("wait", { pane: "0.0", pattern: "^build done$" });
    const later: string[] = [];
    for (let more = true; more; ) {
      const [piece] = await model.says(`
      <capability name="tmux" action="read"
        pane="0.0"
        since="true" />`);
      assert.ok(piece?.success);
      later.push(...piece.data.output.split("\n"));
      more = piece.data.has_more;
    }
    const modules = (lines: readonly string[]) =>
      lines.flatMap((line) => /^module (\d+)$/.exec(line)?.slice(1).map(Number) ?? []);
    const fresh = modules(later);
    const [start = 301] = fresh;
    // A line printed during the first read may be in both; none is missing, and none is repeated later.
    assert.ok(start <= (modules(first.data.output.split("\n")).at(-1) ?? 0) + 1);
    assert.deepEqual(
      fresh,
      fresh.map((_, at) => start + at),
    );
    assert.equal(fresh.at(-1) ?? 300, 300);
    assert.match(`${first.data.output}\n${later.join("\n")}`, /^build done$/m);
  });
});

test("the first command for a new shell that starts slowly is shown once, for a first pane and for a split one", async (t) => {
  const daemon = await startDaemon(t, "", { SHELL: "/bin/bash" });
  writeFileSync(join(daemon.folder, ".bashrc"), "sleep 0.5\nPS1='ready> '\n");
  const model = modelAt("http", daemon);
  for (const pane of ["0.0", "0.1"]) {
    if (pane === "0.1") await model.does("split", { direction: "vertical" });
    await model.does("send", { pane, command: "echo once-$((1+1))" });
    await model.does("wait", { pane, pattern: "once-2$" });
    assert.equal((await model.does("read", { pane })).output, "ready> echo once-$((1+1))\nonce-2\nready>");
  }
});
