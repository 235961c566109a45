import assert from "node:assert/strict";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { until } from "../support/until.ts";
import { fakeAnswers, sampleTask } from "./support/fake-answers.ts";
import { fakeDaemon } from "./support/fake-daemon.ts";
import { panewardInTerminal } from "./support/terminal.ts";

describe("on a terminal", { concurrency: 4 }, () => {
  test("a status is coloured, unless NO_COLOR is set", async (t) => {
    const { env } = await fakeDaemon(t);
    const coloured = await panewardInTerminal(t, ["ps"], env);
    await coloured.ended();
    assert.match(await coloured.screen(), /\u001b\[34mIdle/);
    const plain = await panewardInTerminal(t, ["ps"], { ...env, NO_COLOR: "1" });
    await plain.ended();
    const screen = await plain.screen();
    assert.match(screen, /Idle/);
    assert.ok(!screen.includes("\u001b["), screen);
  });

  test("a table is no wider than the terminal, whatever the characters", async (t) => {
    const slug = "修复登录-🚀-naïve";
    const long = { ...sampleTask, slug, why: { ...sampleTask.why, rule: "because ".repeat(30) } };
    const { env } = await fakeDaemon(t, { ps: () => ({ ...fakeAnswers.ps, tasks: [long] }) });
    const cli = await panewardInTerminal(t, ["ps"], { ...env, NO_COLOR: "1" }, { columns: 90, rows: 10 });
    await cli.ended();
    const lines = (await cli.screen()).trimEnd().split("\n");
    assert.equal(lines.length, 3, "a header and two rows, none of them wrapped");
    assert.match(lines[1] ?? "", /修复登录-🚀-naïve +Idle +3m +because.*… /);
  });

  for (const [answer, operations] of [
    ["y", ["rm"]],
    ["n", []],
    ["", []],
  ] as const) {
    test(`rm asks, and "${answer}" ${operations.length > 0 ? "removes" : "changes nothing"}`, async (t) => {
      const { env, asked } = await fakeDaemon(t);
      const cli = await panewardInTerminal(t, ["rm", "12"], env);
      await cli.shows("Remove 12? Unmerged work of a task is kept for undo. [y/N]");
      assert.deepEqual(asked, []);
      await cli.press(answer, "Enter");
      assert.equal(await cli.ended(), operations.length > 0 ? 0 : 1);
      assert.deepEqual(
        asked.map(({ operation }) => operation),
        operations,
      );
    });
  }

  test("attach runs the daemon's argv without TMUX and returns its exit code", async (t) => {
    const argv = ["sh", "-c", 'test -t 0 && echo "inside[$TMUX]"; exit 5'];
    const { env } = await fakeDaemon(t, { attach: () => ({ ...fakeAnswers.attach, argv }) });
    const cli = await panewardInTerminal(t, ["attach", "12"], { ...env, TMUX: "/tmp/other,1,0" });
    assert.equal(await cli.ended(), 5);
    await cli.shows("inside[]");
  });

  const attaching: readonly (readonly [readonly string[], boolean])[] = [
    [["new", "do it"], true],
    [["new", "do it", "--no-attach"], false],
    [["new", "do it", "--draft"], false],
    [["start", "12"], false],
    [["start", "12", "--attach"], true],
  ];
  for (const [typed, attaches] of attaching) {
    test(`paneward ${typed.join(" ")} ${attaches ? "attaches" : "does not attach"}`, async (t) => {
      const { env, asked } = await fakeDaemon(t);
      const cli = await panewardInTerminal(t, typed, env);
      assert.equal(await cli.ended(), 0);
      assert.equal(
        asked.some(({ operation }) => operation === "attach"),
        attaches,
      );
    });
  }

  test("new --edit uses the text the editor saved and removes its temporary file", async (t) => {
    const { env, asked, folder } = await fakeDaemon(t);
    const editor = join(folder, "my editor.sh");
    writeFileSync(editor, '#!/bin/sh\nprintf %s "$2" > "$EDITED"\nprintf "\\nfrom the editor\\n" >> "$2"\n');
    chmodSync(editor, 0o755);
    const edited = join(folder, "edited");
    const settings = { ...env, VISUAL: `'${editor}' --wait`, EDITED: edited };
    const cli = await panewardInTerminal(t, ["new", "--edit", "--no-attach", "begin"], settings);
    assert.equal(await cli.ended(), 0);
    assert.equal(asked.find(({ operation }) => operation === "new")?.input.text, "begin\nfrom the editor");
    assert.equal(existsSync(readFileSync(edited, "utf8")), false);
  });

  test("a slow command shows a progress line with the task's progress, and clears it at the end", async (t) => {
    const ready = Promise.withResolvers<typeof fakeAnswers.start>();
    const daemon = await fakeDaemon(t, { start: () => ready.promise });
    const cli = await panewardInTerminal(t, ["start", "12"], { ...daemon.env, NO_COLOR: "1" });
    await cli.shows("start …");
    await until("a client follows events", () => daemon.followers.size > 0);
    daemon.emit({ seq: 8, type: "task_progress", data: { task: 13, slug: "other", stage: "copy", text: "not mine" } });
    daemon.emit({
      seq: 9,
      type: "task_progress",
      data: { task: 12, slug: "fix-login", stage: "setup", text: "npm ci" },
    });
    await cli.shows("setup: npm ci");
    ready.resolve(fakeAnswers.start);
    assert.equal(await cli.ended(), 0);
    assert.equal((await cli.screen()).trim(), "12 fix-login: Running");
  });

  test("ps --watch draws on the alternate screen and restores the normal one on Ctrl-C", async (t) => {
    let looks = 0;
    const ps = () => ({ ...fakeAnswers.ps, tasks: [{ ...sampleTask, slug: `look-${++looks}` }] });
    const daemon = await fakeDaemon(t, { ps });
    const cli = await panewardInTerminal(t, ["ps", "--watch"], daemon.env);
    await cli.shows("look-1");
    await until("a client follows events", () => daemon.followers.size > 0);
    daemon.emit({ seq: 8, type: "tasks_changed", data: { reason: "x" } });
    const screen = await cli.shows("look-2");
    assert.ok(!screen.includes("look-1"));
    await cli.press("C-c");
    assert.equal(await cli.ended(), 130);
    assert.equal((await cli.screen()).includes("look"), false);
  });

  test("diff is coloured", async (t) => {
    const { env } = await fakeDaemon(t);
    const cli = await panewardInTerminal(t, ["diff", "12"], env);
    await cli.ended();
    assert.ok((await cli.screen()).includes("\u001b[32m+new"));
  });
});
