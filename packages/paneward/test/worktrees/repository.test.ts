import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Repository } from "../../src/runtime/ports.ts";
import { createWorktrees } from "../../src/worktrees/worktrees.ts";
import { fails } from "./support/failure.ts";
import { testGuards } from "./support/guards.ts";
import { temporaryFolder, testRepository } from "./support/repository.ts";

const worktrees = createWorktrees(testGuards());

function withoutGitDirs({ gitDirs: _gitDirs, top: _top, ...rest }: Repository) {
  return rest;
}

test("a repository is found from any folder below it", async (t) => {
  const { root, git } = testRepository(t);
  const deep = join(root, "src", "deep");
  mkdirSync(deep, { recursive: true });
  assert.deepEqual(withoutGitDirs(await worktrees.repository(deep)), {
    root,
    branch: "main",
    head: git("rev-parse", "HEAD"),
  });
});

test("a path with spaces, Unicode, # and % is found as it is", async (t) => {
  const { root } = testRepository(t, { name: "my prøject ☂ #1 100%" });
  assert.equal((await worktrees.repository(root)).root, root);
});

test("a repository without commits has a branch and no head", async (t) => {
  const { root } = testRepository(t, { empty: true });
  assert.deepEqual(withoutGitDirs(await worktrees.repository(root)), { root, branch: "main", head: undefined });
});

test("a detached HEAD has a head and no branch", async (t) => {
  const { root, git } = testRepository(t);
  git("checkout", "--quiet", "--detach");
  assert.deepEqual(withoutGitDirs(await worktrees.repository(root)), {
    root,
    branch: undefined,
    head: git("rev-parse", "HEAD"),
  });
});

test("a user's own linked worktree is a separate repository", async (t) => {
  const { folder, git } = testRepository(t);
  const linked = join(folder, "linked");
  git("worktree", "add", "--quiet", "-b", "feature", linked);
  const { root, branch } = await worktrees.repository(linked);
  assert.deepEqual({ root, branch }, { root: linked, branch: "feature" });
});

test("inside a task's worktree the repository is the main checkout, which outlives the task", async (t) => {
  const repository = testRepository(t);
  const task = repository.task();
  await worktrees.create(task);
  const { root, branch } = await worktrees.repository(task.worktree);
  assert.deepEqual({ root, branch }, { root: repository.root, branch: "paneward/1-fix" });
});

test("outside git the error has a hint", async (t) => {
  await fails(worktrees.repository(temporaryFolder(t)), "not_found", /not in a git repository/, /git init/);
});

test("a missing folder is not mistaken for a missing git", async (t) => {
  await fails(worktrees.repository(join(temporaryFolder(t), "gone")), "not_found", /the folder .* does not exist/);
});

test("a bare repository and the inside of .git are refused with the reason", async (t) => {
  const { root } = testRepository(t, { bare: true });
  await fails(worktrees.repository(root), "wrong_state", /bare repository/, /checkout/);
  await fails(worktrees.repository(join(testRepository(t).root, ".git")), "wrong_state", /inside a `.git` folder/);
});

test("without git on the PATH the error is unavailable", async (t) => {
  const { root } = testRepository(t);
  const before = process.env.PATH;
  process.env.PATH = join(root, "nothing-here");
  t.after(() => {
    process.env.PATH = before;
  });
  await fails(worktrees.repository(root), "unavailable", /git was not found/, /install git/);
  // Neither is `git init` possible.
  await fails(worktrees.repository(temporaryFolder(t)), "unavailable", /git was not found/, /install git/);
});

test("a daemon started from a git hook ignores the hook's environment", async (t) => {
  const other = testRepository(t, { empty: true });
  const { root, git } = testRepository(t);
  const head = git("rev-parse", "HEAD");
  process.env.GIT_DIR = join(other.root, ".git");
  t.after(() => {
    delete process.env.GIT_DIR;
  });
  assert.deepEqual(withoutGitDirs(await worktrees.repository(root)), { root, branch: "main", head });
});

test("a branch's commit is found by its exact name only", async (t) => {
  const { root, git, commit } = testRepository(t);
  commit({ "b.txt": "b\n" });
  assert.equal(await worktrees.branchCommit({ root }, "main"), git("rev-parse", "main"));
  for (const name of ["main~1", "nothing", "", "HEAD", "ma*", "-h"]) {
    assert.equal(await worktrees.branchCommit({ root }, name), undefined, name);
  }
});
