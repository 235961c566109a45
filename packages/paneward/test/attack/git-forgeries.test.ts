import assert from "node:assert/strict";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { PanewardError } from "@paneward/sdk";
import { amount } from "../../../tmux/test/support/amount.ts";
import { fuzz, type Random } from "../../../tmux/test/support/random.ts";
import type { Rescue } from "../../src/model/records.ts";
import { createWorktrees } from "../../src/worktrees/worktrees.ts";
import { testGuards } from "../worktrees/support/guards.ts";
import { commitIn, gitIn, testRepository, writeFiles } from "../worktrees/support/repository.ts";
import { filesOf } from "../worktrees/support/snapshot.ts";
import { arsenal } from "./support/arsenal.ts";
import { type ForgeryStage, forgeries } from "./support/git-forgeries.ts";

const worktrees = createWorktrees(testGuards());
const cases = Number(process.env.PANEWARD_FUZZ ?? amount(6, 2_000));
const patienceMs = 60_000;

/** A task with work of every kind. Each case gets a copy in the same place. */
async function stage(t: TestContext) {
  const { folder, root, commit, task: taskOf } = testRepository(t);
  commit({ "sub/s.txt": "s\n" }, "second");
  const task = taskOf();
  const { gitDirs, ...created } = await worktrees.create(task);
  const started = { ...task, ...created, gitDirs, hasWorktree: true };
  commitIn(started.worktree, { "b.txt": "b\n", "sub/t.txt": "t\n" }, "of the task");
  const head = commit({ "c.txt": "c\n" }, "of the base");
  const outside = join(folder, "outside");
  writeFiles(outside, { "victim/secret": "the user's secret\n" });
  const other = join(outside, "other");
  gitIn(folder, "clone", "--quiet", root, other);
  gitIn(other, "branch", task.branch);
  const victim = join(outside, "victim");
  const { branch, worktree } = started;
  const common = join(root, ".git");
  const at: ForgeryStage = {
    ...{ root, common, worktree, branch, victim, other, head },
    gitDir: gitDirs.worktree ?? "",
    arsenal: arsenal(folder),
  };
  const own = ["project", "state", "outside"];
  const copy = (from: string, to: string) => {
    for (const name of own) {
      rmSync(join(to, name), { recursive: true, force: true });
      cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    }
  };
  mkdirSync(join(folder, "template"));
  copy(folder, join(folder, "template"));
  return { at, started, outside, root, folder, again: () => copy(join(folder, "template"), folder) };
}

type Calls = Awaited<ReturnType<typeof stage>>;

/** Everything that Paneward does with git for `ps`, `diff`, `merge`, `rm`, `undo`, `reset` and `start`. */
function callsOf({ started, root, folder }: Calls): readonly (readonly [string, () => Promise<unknown>])[] {
  let kept: Rescue | undefined;
  const options = { include: ["*.txt"], exclude: [], env: {}, allow: async () => {}, scratch: join(folder, "scratch") };
  return [
    ["work", () => worktrees.work(started)],
    ["diff", () => worktrees.diff(started, false, 1_000_000)],
    ["repository", () => worktrees.repository(root)],
    ["exists", () => worktrees.exists(started)],
    ["merge", () => worktrees.merge(started, "main")],
    [
      "rescue",
      async () => {
        writeFiles(started.worktree, { "new.txt": "new\n" });
        kept = await worktrees.rescue(started, 1);
      },
    ],
    ["remove", () => worktrees.remove(started)],
    ["restore", () => worktrees.restore(started, kept)],
    ["create", () => worktrees.create(started)],
    ["bootstrap", () => worktrees.bootstrap(started, options, () => {})],
  ];
}

/** An answer, or an error that says what to do. */
async function outcome(name: string, call: () => Promise<unknown>): Promise<string | undefined> {
  const late = Promise.withResolvers<string>();
  const timer = setTimeout(() => late.resolve(`${name} does not end`), patienceMs);
  const attempt = call().then(
    () => undefined,
    (error: unknown) => {
      const isClear = error instanceof PanewardError && error.code !== "unexpected" && error.hint !== undefined;
      return isClear ? undefined : `${name}: ${(error as Error).stack}`;
    },
  );
  try {
    return await Promise.race([attempt, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

test("without a forgery every call succeeds", async (t) => {
  const made = await stage(t);
  for (const [, call] of callsOf(made)) await call();
});

test(`of ${cases} random sets of forgeries none runs a program, writes outside, hangs or is unexpected`, async (t) => {
  const made = await stage(t);
  const { at, outside, again } = made;
  await fuzz(async (random: Random) => {
    again();
    const chosen = Array.from({ length: 1 + random.below(3) }, () => random.pick(Object.keys(forgeries)));
    for (const name of chosen) {
      // One forgery may be in the way of the next.
      try {
        forgeries[name]?.(at, random);
      } catch {}
    }
    const before = filesOf(outside);
    const faults: (string | undefined)[] = [];
    for (const [name, call] of callsOf(made)) faults.push(await outcome(name, call));
    const about = chosen.join(", ");
    assert.deepEqual(at.arsenal.fired(), [], about);
    assert.deepEqual(filesOf(outside), before, about);
    assert.deepEqual(
      faults.filter((fault) => fault !== undefined),
      [],
      about,
    );
  }, cases);
});
