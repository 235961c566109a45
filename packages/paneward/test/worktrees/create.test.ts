import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { createWorktrees } from "../../src/worktrees/worktrees.ts";
import { fails } from "./support/failure.ts";
import { testGuards } from "./support/guards.ts";
import { commitIn, gitIn, testRepository } from "./support/repository.ts";
import { stateOf } from "./support/snapshot.ts";

const worktrees = createWorktrees(testGuards());

test("a task gets a branch and a worktree from its base, in private folders", async (t) => {
  const { git, task: taskOf } = testRepository(t);
  const task = taskOf();
  const { baseCommit } = await worktrees.create(task);
  assert.equal(baseCommit, git("rev-parse", "main"));
  assert.equal(gitIn(task.worktree, "branch", "--show-current"), "paneward/1-fix");
  assert.equal(readFileSync(join(task.worktree, "a.txt"), "utf8"), "one\ntwo\nthree\n");
  assert.equal(statSync(dirname(task.worktree)).mode & 0o777, 0o700);
  assert.equal(await worktrees.exists(task), true);
  assert.equal(git("branch", "--show-current"), "main");
});

test("the base need not be checked out", async (t) => {
  const { git, commit, task } = testRepository(t);
  git("branch", "release");
  commit({ "b.txt": "b\n" });
  const { baseCommit } = await worktrees.create(task({ base: "release" }));
  assert.equal(baseCommit, git("rev-parse", "release"));
});

test("with a detached HEAD a task starts from HEAD", async (t) => {
  const { git, commit, task: taskOf } = testRepository(t);
  commit({ "b.txt": "b\n" });
  git("checkout", "--quiet", "--detach", "HEAD~1");
  const { base: _, ...task } = taskOf();
  assert.equal((await worktrees.create(task)).baseCommit, git("rev-parse", "HEAD"));
  assert.equal(gitIn(task.worktree, "branch", "--show-current"), task.branch);
});

test("in a repository without commits only the task's branch gets an empty commit", async (t) => {
  const { root, git, write, task: taskOf } = testRepository(t, { empty: true });
  write({ "mine.txt": "mine\n" });
  git("add", "mine.txt");
  const task = taskOf();
  const { baseCommit } = await worktrees.create(task);
  assert.equal(git("for-each-ref", "--format=%(refname) %(objectname)"), `refs/heads/paneward/1-fix ${baseCommit}`);
  assert.equal(git("ls-tree", baseCommit), "");
  assert.equal(git("log", "-1", "--format=%an <%ae>", baseCommit), "Ada <ada@example.org>");
  const { branch, head } = await worktrees.repository(root);
  assert.deepEqual([branch, head], ["main", undefined]);
  assert.match(git("status", "--porcelain"), /A {2}mine.txt/);
});

test("without a git identity, Paneward is the author of the empty commit", async (t) => {
  const { git, task } = testRepository(t, { empty: true, anonymous: true });
  const { baseCommit } = await worktrees.create(task());
  assert.equal(git("log", "-1", "--format=%an <%ae> %cn", baseCommit), "Paneward <paneward@localhost> Paneward");
});

test("paths with spaces, Unicode, # and % work from beginning to end", async (t) => {
  const { folder, git, task: taskOf } = testRepository(t, { name: "my prøject ☂ #1 100%" });
  const task = taskOf({ worktree: join(folder, "stäte dir", "wörk trees", "#1 % fix") });
  const { baseCommit } = await worktrees.create(task);
  commitIn(task.worktree, { "ünï #%.txt": "x\n" });
  assert.deepEqual(await worktrees.work({ ...task, baseCommit }), { added: 0, removed: 0, ahead: 1 });
  await worktrees.merge({ ...task, baseCommit }, "main");
  assert.equal(git("show", "main:ünï #%.txt"), "x");
  await worktrees.remove(task);
  assert.equal(existsSync(task.worktree), false);
});

test("creating twice finds the existing worktree and changes nothing", async (t) => {
  const { root, commit, task: taskOf } = testRepository(t);
  const task = taskOf();
  const first = await worktrees.create(task);
  commitIn(task.worktree, { "b.txt": "b\n" });
  writeFileSync(join(task.worktree, "dirty.txt"), "dirty\n");
  commit({ "c.txt": "c\n" });
  const before = stateOf(root, task.worktree);
  assert.deepEqual(await worktrees.create(task), first);
  assert.deepEqual(stateOf(root, task.worktree), before);
});

test("a deleted worktree is created again with its commits", async (t) => {
  const { task: taskOf } = testRepository(t);
  const task = taskOf();
  const { baseCommit } = await worktrees.create(task);
  const head = commitIn(task.worktree, { "b.txt": "b\n" });
  rmSync(task.worktree, { recursive: true });
  assert.equal(await worktrees.exists(task), false);
  assert.equal((await worktrees.create({ ...task, baseCommit })).baseCommit, baseCommit);
  assert.equal(gitIn(task.worktree, "rev-parse", "HEAD"), head);
});

test("a branch that a crash left without a worktree is used", async (t) => {
  const { git, task: taskOf } = testRepository(t);
  const task = taskOf();
  git("branch", task.branch);
  await worktrees.create(task);
  assert.equal(gitIn(task.worktree, "branch", "--show-current"), task.branch);
});

test("repairing one worktree keeps the user's missing worktrees registered", async (t) => {
  const { folder, git, task: taskOf } = testRepository(t);
  const unmounted = join(folder, "unmounted");
  git("worktree", "add", "--quiet", "-b", "mine", unmounted);
  rmSync(unmounted, { recursive: true });
  const task = taskOf();
  await worktrees.create(task);
  rmSync(task.worktree, { recursive: true });
  await worktrees.create(task);
  await worktrees.remove(task);
  assert.match(git("worktree", "list"), /unmounted/);
});

test("a worktree that lost its .git file is repaired with its files", async (t) => {
  const { root, task: taskOf } = testRepository(t);
  const task = taskOf();
  await worktrees.create(task);
  writeFileSync(join(task.worktree, "a.txt"), "changed\n");
  unlinkSync(join(task.worktree, ".git"));
  assert.equal(await worktrees.exists(task), false);
  assert.deepEqual(await worktrees.work(task), { added: 1, removed: 3, ahead: 0 });
  await worktrees.create(task);
  assert.equal(readFileSync(join(task.worktree, "a.txt"), "utf8"), "changed\n");
  assert.equal(gitIn(task.worktree, "status", "--porcelain"), " M a.txt");
  assert.equal(gitIn(root, "status", "--porcelain"), "");
});

test("a branch of the same name with other commits is refused", async (t) => {
  const { root, git, commit, task: taskOf } = testRepository(t);
  const task = taskOf();
  git("checkout", "--quiet", "-b", task.branch);
  commit({ "foreign.txt": "x\n" });
  git("checkout", "--quiet", "main");
  const before = stateOf(root);
  await fails(worktrees.create(task), "conflict", /has its own commits/, /git branch -m/);
  assert.deepEqual(stateOf(root), before);
});

test("a base that does not exist is refused and leaves nothing", async (t) => {
  const { root, task: taskOf } = testRepository(t);
  const before = stateOf(root);
  await fails(worktrees.create(taskOf({ base: "nope" })), "wrong_state", /no branch nope/, /--base BRANCH/);
  assert.deepEqual(stateOf(root), before);
});

test("a folder with files in the way is refused, kept, and leaves no branch", async (t) => {
  const { root, task: taskOf } = testRepository(t);
  const task = taskOf();
  mkdirSync(task.worktree, { recursive: true });
  writeFileSync(join(task.worktree, "precious.txt"), "mine\n");
  const before = stateOf(root);
  await fails(worktrees.create(task), "wrong_state", /already exists/);
  await fails(worktrees.remove(task), "wrong_state", /is not a worktree/);
  assert.equal(readFileSync(join(task.worktree, "precious.txt"), "utf8"), "mine\n");
  assert.deepEqual(stateOf(root), before);
});

test("ten tasks of one repository can be created at once", async (t) => {
  const { git, task } = testRepository(t);
  const tasks = Array.from({ length: 10 }, (_, index) => task({ id: index + 1 }));
  await Promise.all(tasks.map((each) => worktrees.create(each)));
  assert.equal(git("worktree", "list").split("\n").length, 11);
  await Promise.all(tasks.map((each) => worktrees.remove(each)));
  assert.equal(git("worktree", "list").split("\n").length, 1);
  assert.equal(git("for-each-ref", "--format=%(refname)"), "refs/heads/main");
});

test("two repositories may have tasks with the same slug", async (t) => {
  const one = testRepository(t);
  const two = testRepository(t);
  const worktreesOf = join(one.folder, "state");
  const first = one.task({ id: 1, worktree: join(worktreesOf, "1-fix") });
  const second = two.task({ id: 2, worktree: join(worktreesOf, "2-fix") });
  await Promise.all([worktrees.create(first), worktrees.create(second)]);
  commitIn(first.worktree, { "one.txt": "1\n" });
  commitIn(second.worktree, { "two.txt": "2\n" });
  await worktrees.remove(first);
  assert.equal(await worktrees.exists(second), true);
  await worktrees.merge(second, "main");
  assert.equal(two.git("show", "main:two.txt"), "2");
});
