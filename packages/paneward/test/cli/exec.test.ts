import assert from "node:assert/strict";
import { mkdtempSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { Cleanup } from "../support/folder.ts";
import { until } from "../support/until.ts";
import { paneward, startPaneward } from "./support/cli.ts";
import { type FakeDaemon, fakeDaemon } from "./support/fake-daemon.ts";

describe("exec", { concurrency: 4 }, () => {
  async function withWorktree(t: Cleanup, exists = true): Promise<FakeDaemon & { readonly worktree: string }> {
    let worktree = "";
    const env = { PANEWARD_TASK_ID: "12", PANEWARD_ROOT: "/repo" };
    const daemon = await fakeDaemon(t, { path: () => ({ path: worktree, exists, env }) });
    worktree = realpathSync(mkdtempSync(join(daemon.folder, "worktree ü ")));
    return { ...daemon, worktree };
  }

  test("runs in the worktree, with the task's variables, arguments untouched", async (t) => {
    const { env, worktree } = await withWorktree(t);
    const script = 'printf "%s|" "$PWD" "$PANEWARD_TASK_ID" "$PANEWARD_ROOT" "$@"';
    const typed = ["exec", "12", "--", "sh", "-c", script, "sh", "a b", "--json", "--", ""];
    const { stdout, code } = await paneward(typed, { env });
    assert.deepEqual([stdout, code], [`${worktree}|12|/repo|a b|--json|--||`, 0]);
  });

  test("has the caller's stdin", async (t) => {
    const { env } = await withWorktree(t);
    assert.equal((await paneward(["exec", "12", "--", "cat"], { env, input: "hello" })).stdout, "hello");
  });

  const codes: readonly (readonly [string, readonly string[], number])[] = [
    ["an exit code", ["sh", "-c", "exit 42"], 42],
    ["a signal, as 128 + n", ["sh", "-c", "kill -TERM $$"], 143],
    ["a missing program, as 127", ["no-such-program-anywhere"], 127],
  ];
  for (const [what, argv, expected] of codes) {
    test(`passes on ${what}`, async (t) => {
      const { env } = await withWorktree(t);
      assert.equal((await paneward(["exec", "12", "--", ...argv], { env })).code, expected);
    });
  }

  test("forwards SIGTERM and returns the program's exit code", async (t) => {
    const { env } = await withWorktree(t);
    const script = 'trap "exit 9" TERM; echo ready; while :; do read -r _ || exit 1; done';
    const cli = startPaneward(t, ["exec", "12", "--", "sh", "-c", script], { env });
    await until("the program is ready", () => cli.printed.stdout.includes("ready"));
    cli.child.kill("SIGTERM");
    // The shell runs traps only after its builtin returns.
    cli.child.stdin.write("\n");
    assert.equal((await cli.ended).code, 9);
  });

  test("for a task without a worktree exits with code 6 and a hint", async (t) => {
    const { env } = await withWorktree(t, false);
    const { stderr, code } = await paneward(["exec", "12", "--", "true"], { env });
    assert.match(stderr, /does not exist\nhint: `paneward start 12` creates it/);
    assert.equal(code, 6);
  });
});
