import assert from "node:assert/strict";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { PanewardError } from "@paneward/sdk";
import { until } from "../support/until.ts";
import { paneward } from "./support/cli.ts";
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

  test("a wait says what it does and for how long, on stderr; with --quiet nothing", async (t) => {
    const go = Promise.withResolvers<void>();
    const merge = () => go.promise.then(() => fakeAnswers.merge);
    const { env } = await fakeDaemon(t, { merge });
    const [cli, quiet] = await Promise.all(
      [
        ["merge", "12"],
        ["merge", "12", "--quiet"],
      ].map((argv) => panewardInTerminal(t, argv, env)),
    );
    await cli?.shows(/merging 12 \(\d s\)/);
    assert.equal((await quiet?.screen())?.trim(), "");
    go.resolve();
    await Promise.all([cli?.ended(), quiet?.ended()]);
    assert.match((await cli?.screen()) ?? "", /^main advanced/, "the line is gone");
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

  for (const [answer, given] of [
    ["y", [{ id: "12", option: 1, question: "q1", seen_screen: "h" }]],
    ["", []],
  ] as const) {
    test(`respond --read-screen prints the screen and asks; "${answer}" ${answer === "y" ? "answers" : "does not"}`, async (t) => {
      const part = { kind: "permission", text: "Run it?", options: [], freeText: false, whole: false };
      const known = { id: "q1", terminal: "t12", source: "screen", screenHash: "h", state: "open", openedAt: 1 };
      const question = { ...part, ...known, doubt: "it shows 12 of 80 lines", proposal: { command: "ls" } };
      const { env, asked } = await fakeDaemon(t, {
        questions: () => ({ questions: [question as never] }),
        screen: () => ({ id: "t12", lines: ["the real screen"], columns: 80, rows: 24 }),
      });
      const cli = await panewardInTerminal(t, ["respond", "12", "--option", "1", "--read-screen"], env);
      const shown = await cli.shows("is the answer meant for it? [y/N]");
      assert.match(shown, /the real screen[\s\S]*may be incomplete: it shows 12 of 80 lines/);
      await cli.press(answer, "Enter");
      assert.equal(await cli.ended(), answer === "y" ? 0 : 6);
      assert.deepEqual(
        asked.filter(({ operation }) => operation === "respond").map(({ input }) => input),
        given,
      );
    });
  }

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

  for (const [answer, code] of [
    ["y", 0],
    ["n", 7],
  ] as const) {
    test(`new shows what an untrusted repository runs and asks; "${answer}" ${code === 0 ? "trusts it" : "runs nothing"}`, async (t) => {
      let trusted = false;
      const runs = [{ what: "bootstrap.cmd", text: "make ready", trusted: false }];
      const { env, asked } = await fakeDaemon(t, {
        new: () => {
          if (!trusted) throw new PanewardError("untrusted", "it is not trusted yet");
          return fakeAnswers.new;
        },
        trust_look: () => ({ root: "/repo", trusted, digest: "d1", runs }),
        trust: () => {
          trusted = true;
          return { root: "/repo", trusted: 1 };
        },
      });
      const cli = await panewardInTerminal(t, ["new", "--no-attach", "Fix it"], env);
      await cli.shows(/bootstrap\.cmd[\s\S]*\| make ready[\s\S]*Trust this repository to run it\? \[y\/N\]/);
      await cli.press(answer, "Enter");
      assert.equal(await cli.ended(), code);
      const operations = asked.map(({ operation }) => operation).filter((operation) => operation !== "ping");
      assert.deepEqual(operations, ["new", "trust_look", ...(code === 0 ? ["trust", "new"] : [])]);
      const given = asked.find(({ operation }) => operation === "trust")?.input.digest;
      assert.equal(given, code === 0 ? "d1" : undefined);
    });
  }

  test("attach runs the daemon's argv without TMUX and returns its exit code", async (t) => {
    const argv = ["sh", "-c", 'test -t 0 && echo "inside[$TMUX]"; exit 5'];
    const { env } = await fakeDaemon(t, { attach: () => ({ ...fakeAnswers.attach, argv }) });
    const cli = await panewardInTerminal(t, ["attach", "12"], { ...env, TMUX: "/tmp/other,1,0" });
    assert.equal(await cli.ended(), 5);
    await cli.shows("inside[]");
  });

  test("attach to what has ended says so, and how to run it again", async (t) => {
    const attach = () => ({ ...fakeAnswers.attach, end: { kind: "exited", code: 3 } as const });
    const { env } = await fakeDaemon(t, { attach });
    const cli = await panewardInTerminal(t, ["attach", "12"], env);
    assert.equal(await cli.ended(), 0);
    await cli.shows("12 exited with code 3; this is its last screen, and `paneward restart 12` runs it again");
  });

  const attaching: readonly (readonly [readonly string[], boolean])[] = [
    [["new", "do it"], true],
    [["new", "do it", "--no-attach"], false],
    [["new", "do it", "--draft"], false],
    [["start", "12"], true],
    [["start", "12", "--attach"], true],
    [["start", "12", "--no-attach"], false],
    [["start", "12", "--json"], false],
    [["start", "12", "13"], false],
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

  test("edit opens the text that a draft has; without a terminal it says what to give", async (t) => {
    const { env, asked, folder } = await fakeDaemon(t);
    const editor = join(folder, "editor.sh");
    writeFileSync(editor, '#!/bin/sh\nprintf " and more" >> "$1"\n');
    chmodSync(editor, 0o755);
    const cli = await panewardInTerminal(t, ["edit", "12"], { ...env, VISUAL: editor });
    assert.equal(await cli.ended(), 0);
    assert.deepEqual(asked.at(-1), {
      operation: "edit",
      input: { id: "12", text: `${sampleTask.text} and more` },
    });
    const refused = await paneward(["edit", "12"], { env });
    assert.deepEqual([refused.code, /--agent, --base or --edit/.test(refused.stderr)], [2, true]);
  });

  test("a slow command shows a progress line with the task's progress, and clears it at the end", async (t) => {
    const ready = Promise.withResolvers<typeof fakeAnswers.start>();
    const daemon = await fakeDaemon(t, { start: () => ready.promise });
    const cli = await panewardInTerminal(t, ["start", "12", "--no-attach"], { ...daemon.env, NO_COLOR: "1" });
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
