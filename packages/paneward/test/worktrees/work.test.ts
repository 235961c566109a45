import assert from "node:assert/strict";
import { readFileSync, rmSync, statSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createWorktrees } from "../../src/worktrees/worktrees.ts";
import { fails } from "./support/failure.ts";
import { testGuards } from "./support/guards.ts";
import { commitIn, gitIn, testRepository, writeFiles } from "./support/repository.ts";

const worktrees = createWorktrees(testGuards());

function indexOf(worktree: string): string {
  return gitIn(worktree, "rev-parse", "--path-format=absolute", "--git-path", "index");
}

test("work counts uncommitted lines and the commits that the base does not have", async (t) => {
  const { commit, write, task: taskOf } = testRepository(t);
  commit({ "gone.txt": "1\n2\n", ".gitignore": "ignored.txt\n" });
  const task = { ...taskOf(), ...(await worktrees.create(taskOf())) };
  assert.deepEqual(await worktrees.work(task), { added: 0, removed: 0, ahead: 0 });
  commitIn(task.worktree, { "b.txt": "b\n" });
  commitIn(task.worktree, { "c.txt": "c\n" });
  commit({ "meanwhile.txt": "x\n" });
  write({ "root-is-dirty.txt": "x\n" });

  writeFileSync(join(task.worktree, "a.txt"), "one\n2\nthree\nfour\n");
  gitIn(task.worktree, "add", "a.txt");
  unlinkSync(join(task.worktree, "gone.txt"));
  writeFiles(task.worktree, {
    "new/untracked ☂.txt": "1\n2\n3",
    "binary.bin": Buffer.from([1, 10, 0, 10, 10]),
    "empty.txt": "",
    "ignored.txt": "1\n2\n3\n4\n5\n",
  });
  symlinkSync("/etc/passwd", join(task.worktree, "link"));
  assert.deepEqual(await worktrees.work(task), { added: 2 + 3, removed: 1 + 2, ahead: 2 });
});

test("work falls back to the task's starting commit if there is no base branch", async (t) => {
  const { git, task: taskOf } = testRepository(t);
  const { base: _, ...task } = taskOf();
  const { baseCommit } = await worktrees.create(task);
  commitIn(task.worktree, { "b.txt": "b\n" });
  assert.equal((await worktrees.work({ ...task, baseCommit }))?.ahead, 1);
  git("checkout", "--quiet", "-b", "renamed");
  git("branch", "-D", "main");
  assert.equal((await worktrees.work({ ...task, base: "main", baseCommit }))?.ahead, 1);
});

test("work in a repository without commits counts from the empty commit", async (t) => {
  const { task: taskOf } = testRepository(t, { empty: true });
  const task = { ...taskOf(), ...(await worktrees.create(taskOf())) };
  commitIn(task.worktree, { "b.txt": "b\n" });
  assert.deepEqual(await worktrees.work(task), { added: 0, removed: 0, ahead: 1 });
});

test("a missing worktree has no work", async (t) => {
  const { task: taskOf } = testRepository(t);
  const task = taskOf();
  assert.equal(await worktrees.work(task), undefined);
  await worktrees.create(task);
  rmSync(task.worktree, { recursive: true });
  assert.equal(await worktrees.work(task), undefined);
});

test("reading a worktree does not touch its index or locks", async (t) => {
  const { task: taskOf } = testRepository(t);
  const task = taskOf();
  await worktrees.create(task);
  writeFiles(task.worktree, { "a.txt": "one\ntwo\nthree\n", "new.txt": "new\n" });
  utimesSync(join(task.worktree, "a.txt"), 1_000_000_000, 1_000_000_000);
  const index = indexOf(task.worktree);
  const state = () => ({ bytes: readFileSync(index), time: statSync(index).mtimeMs, inode: statSync(index).ino });
  const before = state();
  const look = async () => {
    assert.equal((await worktrees.work(task))?.added, 1);
    assert.match(await worktrees.diff(task, false, 1_000_000), /\+new/);
    assert.equal((await worktrees.rescue(task, 1)) === undefined, false);
    assert.deepEqual(state(), before);
  };
  await look();
  writeFileSync(`${index}.lock`, "an agent is at work");
  await look();
});

test("a change in the same second as the index was written is seen", async (t) => {
  const { git, task: taskOf } = testRepository(t);
  git("config", "core.trustctime", "false");
  const task = taskOf();
  await worktrees.create(task);
  const file = join(task.worktree, "a.txt");
  const then = 1_700_000_000;
  utimesSync(file, then, then);
  gitIn(task.worktree, "add", "a.txt");
  gitIn(task.worktree, "update-index", "--refresh");
  utimesSync(indexOf(task.worktree), then, then);
  writeFileSync(file, "ONE\ntwo\nthree\n");
  utimesSync(file, then, then);
  assert.match(await worktrees.diff(task, false, 1_000_000), /\+ONE/);
  assert.deepEqual(await worktrees.work(task), { added: 1, removed: 1, ahead: 0 });
});

test("a diff shows committed, staged, unstaged and untracked changes since the task left its base", async (t) => {
  const { commit, git, task: taskOf } = testRepository(t);
  commit({ ".gitignore": "ignored.txt\n" });
  const task = taskOf();
  await worktrees.create(task);
  commit({ "meanwhile.txt": "not the task's\n" });
  commitIn(task.worktree, { "committed.txt": "committed\n" });
  writeFiles(task.worktree, {
    "a.txt": "one\n2\nthree\n",
    "staged.txt": "staged\n",
    "untr ☂ :(top)*.txt": "untracked\n",
    "ignored.txt": "ignored\n",
  });
  gitIn(task.worktree, "add", "staged.txt");

  const diff = await worktrees.diff(task, false, 1_000_000);
  for (const line of ["+committed", "+staged", "+untracked", "-two", "+2", "+++ b/untr ☂ :(top)*.txt"]) {
    assert.ok(diff.includes(`\n${line}`), line);
  }
  assert.doesNotMatch(diff, /ignored\n|not the task's/);
  assert.match(await worktrees.diff(task, true, 1_000_000), /4 files changed, 4 insertions\(\+\), 1 deletion/);
  assert.equal(await worktrees.diff(task, false, 100), diff.slice(0, 100), "of a long one the beginning");
  const id = git("hash-object", join(task.worktree, "untr ☂ :(top)*.txt"));
  assert.throws(() => git("cat-file", "-e", id), "a diff writes nothing into the repository");
});

test("a diff can be applied, whatever the user's diff settings are", async (t) => {
  const { git, task: taskOf } = testRepository(t);
  for (const [name, value] of Object.entries({ noprefix: "true", external: "false", mnemonicPrefix: "true" })) {
    git("config", `diff.${name}`, value);
  }
  git("config", "color.ui", "always");
  const task = taskOf();
  await worktrees.create(task);
  writeFiles(task.worktree, { "a.txt": "one\n2\nthree\n", "new.txt": "new\n" });
  const patch = join(task.worktree, "..", "patch");
  writeFileSync(patch, await worktrees.diff(task, false, 1_000_000));
  git("apply", patch);
  assert.equal(git("status", "--porcelain"), " M a.txt\n?? new.txt");
});

test("an empty diff is empty, and a diff without a worktree is refused", async (t) => {
  const { task: taskOf } = testRepository(t);
  const task = taskOf();
  await fails(worktrees.diff(task, false, 1_000_000), "wrong_state", /no worktree/);
  await worktrees.create(task);
  assert.equal(await worktrees.diff(task, false, 1_000_000), "");
});
