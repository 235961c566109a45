import assert from "node:assert/strict";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { TaskRecord } from "../../src/model/records.ts";
import { createWorktrees } from "../../src/worktrees/worktrees.ts";
import { fails } from "./support/failure.ts";
import { testGuards } from "./support/guards.ts";
import { commitIn, gitIn, type RepositoryOptions, type TestRepository, testRepository } from "./support/repository.ts";
import { stateOf } from "./support/snapshot.ts";

const worktrees = createWorktrees(testGuards());

async function withTask(
  t: TestContext,
  options: RepositoryOptions = {},
): Promise<TestRepository & { readonly started: TaskRecord }> {
  const repository = testRepository(t, options);
  const task = repository.task();
  return { ...repository, started: { ...task, ...(await worktrees.create(task)) } };
}

test("a merge rebases the task's commits and fast-forwards the base and its files", async (t) => {
  const { root, git, commit, started } = await withTask(t);
  commitIn(started.worktree, { "b.txt": "b\n" }, "task one");
  commitIn(started.worktree, { "c.txt": "c\n" }, "task two");
  commit({ "d.txt": "d\n" }, "meanwhile");
  const result = await worktrees.merge(started, "main");
  assert.deepEqual(result, { base: "main", commits: 2, head: git("rev-parse", "main") });
  assert.equal(git("log", "--format=%s", "main"), "task two\ntask one\nmeanwhile\nfirst");
  assert.equal(git("rev-parse", started.branch), result.head);
  assert.equal(readFileSync(join(root, "c.txt"), "utf8"), "c\n");
  assert.equal(git("status", "--porcelain"), "");
  assert.equal(gitIn(started.worktree, "status", "--porcelain"), "");
});

test("a base that is checked out nowhere moves without touching any file", async (t) => {
  const { root, git, started } = await withTask(t);
  git("checkout", "--quiet", "-b", "other");
  const head = commitIn(started.worktree, { "b.txt": "b\n" });
  await worktrees.merge(started, "main");
  assert.equal(git("rev-parse", "main"), head);
  assert.equal(existsSync(join(root, "b.txt")), false);
  assert.equal(git("branch", "--show-current"), "other");
});

test("a base that is checked out in another worktree gets its files there", async (t) => {
  const { folder, git, started } = await withTask(t);
  const linked = join(folder, "linked");
  git("worktree", "add", "--quiet", "-b", "release", linked);
  commitIn(started.worktree, { "b.txt": "b\n" });
  await worktrees.merge(started, "release");
  assert.equal(readFileSync(join(linked, "b.txt"), "utf8"), "b\n");
  assert.equal(gitIn(linked, "status", "--porcelain"), "");
});

test("the user's uncommitted changes survive a merge", async (t) => {
  const { root, git, commit, started } = await withTask(t);
  commit({ "staged.txt": "1\n", "dirty.txt": "1\n" });
  writeFileSync(join(root, "staged.txt"), "2\n");
  git("add", "staged.txt");
  writeFileSync(join(root, "dirty.txt"), "2\n");
  writeFileSync(join(root, "untracked.txt"), "new\n");
  const status = git("status", "--porcelain");
  commitIn(started.worktree, { "b.txt": "b\n" });
  await worktrees.merge(started, "main");
  assert.equal(git("status", "--porcelain"), status);
  assert.equal(readFileSync(join(root, "dirty.txt"), "utf8"), "2\n");
  assert.equal(readFileSync(join(root, "b.txt"), "utf8"), "b\n");
});

test("a conflict names the files and changes nothing", async (t) => {
  const { root, commit, started } = await withTask(t);
  commitIn(started.worktree, { "fine.txt": "fine\n" });
  commitIn(started.worktree, { "a.txt": "one\nTASK\nthree\n", "ö ☂.txt": "task\n" });
  commit({ "a.txt": "one\nMAIN\nthree\n", "ö ☂.txt": "main\n" });
  const before = stateOf(root, started.worktree);
  const says = [/a\.txt/, /ö ☂\.txt/, /nothing was changed/, /git rebase main/];
  await fails(worktrees.merge(started, "main"), "conflict", ...says);
  assert.deepEqual(stateOf(root, started.worktree), before);
});

const inTheWay: readonly (readonly [string, (root: string) => void])[] = [
  ["an uncommitted change", (root) => appendFileSync(join(root, "a.txt"), "mine\n")],
  ["an untracked file", (root) => writeFileSync(join(root, "b.txt"), "mine\n")],
  [
    "an ignored file",
    (root) => {
      mkdirSync(join(root, ".git", "info"), { recursive: true });
      writeFileSync(join(root, ".git", "info", "exclude"), "/b.txt\n");
      writeFileSync(join(root, "b.txt"), "secret\n");
    },
  ],
];
for (const [what, make] of inTheWay) {
  test(`${what} of the user that would be overwritten stops the merge, and the task's branch is reset`, async (t) => {
    const { root, commit, started } = await withTask(t);
    writeFileSync(join(started.worktree, "a.txt"), "task\n");
    writeFileSync(join(started.worktree, "b.txt"), "task\n");
    gitIn(started.worktree, "add", "--force", "--all");
    gitIn(started.worktree, "commit", "--quiet", "--message", "task");
    commit({ "meanwhile.txt": "x\n" });
    make(root);
    const before = stateOf(root, started.worktree);
    await fails(worktrees.merge(started, "main"), "conflict", /would overwrite [ab]\.txt/, /nothing was changed/);
    assert.deepEqual(stateOf(root, started.worktree), before);
  });
}

test("uncommitted changes of the task are refused and listed", async (t) => {
  const { root, started } = await withTask(t);
  commitIn(started.worktree, { "b.txt": "b\n" });
  writeFileSync(join(started.worktree, "a.txt"), "x\n");
  writeFileSync(join(started.worktree, "new file.txt"), "x\n");
  const before = stateOf(root, started.worktree);
  const says = [/uncommitted changes: a\.txt, new file\.txt/, /commit them/];
  await fails(worktrees.merge(started, "main"), "wrong_state", ...says);
  assert.deepEqual(stateOf(root, started.worktree), before);
});

test("nothing to merge is refused, also when the base already has the same changes", async (t) => {
  const { root, git, commit, started } = await withTask(t);
  await fails(worktrees.merge(started, "main"), "wrong_state", /nothing to merge/);
  const picked = commitIn(started.worktree, { "b.txt": "b\n" });
  commit({ "meanwhile.txt": "x\n" });
  git("cherry-pick", picked);
  const before = stateOf(root, started.worktree);
  await fails(worktrees.merge(started, "main"), "wrong_state", /nothing to merge/);
  assert.deepEqual(stateOf(root, started.worktree), before);
});

test("a missing base and the task's own branch are refused with a hint", async (t) => {
  const { started } = await withTask(t);
  commitIn(started.worktree, { "b.txt": "b\n" });
  await fails(worktrees.merge(started, "nope"), "wrong_state", /no branch nope/, /--base BRANCH/);
  await fails(worktrees.merge(started, started.branch), "bad_input", /own branch/);
});

test("a missing worktree, or one in the middle of a rebase, is not merged", async (t) => {
  const { started } = await withTask(t);
  commitIn(started.worktree, { "b.txt": "b\n" });
  gitIn(started.worktree, "checkout", "--quiet", "--detach");
  await fails(worktrees.merge(started, "main"), "wrong_state", /does not have paneward\/1-fix checked out/);
  rmSync(started.worktree, { recursive: true });
  await fails(worktrees.merge(started, "main"), "wrong_state", /no worktree/, /paneward start 1/);
});

test("hooks of the repository do not run, neither to refuse nor to act", async (t) => {
  const { root, git, commit, started } = await withTask(t);
  commitIn(started.worktree, { "b.txt": "b\n" });
  commit({ "meanwhile.txt": "x\n" });
  mkdirSync(join(root, ".git", "hooks"));
  writeFileSync(join(root, ".git", "hooks", "pre-rebase"), "#!/bin/sh\necho not today >&2\nexit 1\n", { mode: 0o755 });
  await worktrees.merge(started, "main");
  assert.equal(git("show", "main:b.txt"), "b");
});

test("the user's rebase settings do not change what a merge does", async (t) => {
  const { git, commit, started } = await withTask(t);
  for (const name of ["autoStash", "autoSquash", "updateRefs"]) git("config", `rebase.${name}`, "true");
  git("config", "core.editor", "false");
  commitIn(started.worktree, { "b.txt": "b\n" }, "task");
  gitIn(started.worktree, "branch", "bystander");
  commitIn(started.worktree, { "c.txt": "c\n" }, "fixup! task");
  commit({ "meanwhile.txt": "x\n" });
  const bystander = git("rev-parse", "bystander");
  assert.equal((await worktrees.merge(started, "main")).commits, 2);
  assert.equal(git("rev-parse", "bystander"), bystander);
});

test("two tasks can be merged at the same time", async (t) => {
  const { git, task, started } = await withTask(t);
  const second = task({ id: 2 });
  await worktrees.create(second);
  commitIn(started.worktree, { "b.txt": "b\n" });
  commitIn(second.worktree, { "c.txt": "c\n" });
  await Promise.all([worktrees.merge(started, "main"), worktrees.merge(second, "main")]);
  assert.equal(git("ls-tree", "--name-only", "main"), "a.txt\nb.txt\nc.txt");
});

test("a base without commits becomes the task's head and gets its files", async (t) => {
  const { root, git, write, started } = await withTask(t, { empty: true });
  write({ "untracked.txt": "mine\n", "staged.txt": "mine\n" });
  git("add", "staged.txt");
  await fails(worktrees.merge(started, "main"), "wrong_state", /nothing to merge/);
  const head = commitIn(started.worktree, { "b.txt": "b\n", "deep/c.txt": "c\n" });
  assert.deepEqual(await worktrees.merge(started, "main"), { base: "main", commits: 1, head });
  assert.equal(git("rev-parse", "main"), head);
  assert.equal(readFileSync(join(root, "deep", "c.txt"), "utf8"), "c\n");
  assert.equal(git("status", "--porcelain"), "A  staged.txt\n?? untracked.txt");
});

test("files in the way of a first commit are named and kept", async (t) => {
  const { git, write, started } = await withTask(t, { empty: true });
  commitIn(started.worktree, { "b.txt": "task\n" });
  write({ "b.txt": "mine\n" });
  await fails(worktrees.merge(started, "main"), "conflict", /would overwrite b\.txt/, /nothing was changed/);
  assert.equal(git("status", "--porcelain"), "?? b.txt");
  assert.equal(git("for-each-ref", "--format=%(refname)"), `refs/heads/${started.branch}`);
});

test("an unborn base that is no longer checked out is created as a branch", async (t) => {
  const { git, started } = await withTask(t, { empty: true });
  const head = commitIn(started.worktree, { "b.txt": "b\n" });
  git("symbolic-ref", "HEAD", "refs/heads/elsewhere");
  await worktrees.merge(started, "main");
  assert.equal(git("rev-parse", "main"), head);
});
