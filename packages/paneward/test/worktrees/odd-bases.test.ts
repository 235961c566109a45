import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createWorktrees } from "../../src/worktrees/worktrees.ts";
import { fails } from "./support/failure.ts";
import { testGuards } from "./support/guards.ts";
import { commitIn, gitIn, testRepository, writeFiles } from "./support/repository.ts";
import { stateOf } from "./support/snapshot.ts";

const worktrees = createWorktrees(testGuards());

test("a branch whose name is not UTF-8 is refused with the way out, instead of being taken for empty", async (t) => {
  const { root } = testRepository(t);
  execFileSync("sh", ["-c", `git branch -m "$(printf 'caf\\351')"`], { cwd: root });
  await fails(worktrees.repository(root), "wrong_state", /not UTF-8/, /git branch -m/);
  gitIn(root, "branch", "-m", "caf\u00e9\u00a0\u{1f642}");
  assert.equal((await worktrees.repository(root)).branch, "caf\u00e9\u00a0\u{1f642}");
  assert.notEqual((await worktrees.repository(root)).head, undefined);
});

test("no branch leads out of the repository, whatever HEAD of a worktree names", async (t) => {
  const { root, folder, task: taskOf } = testRepository(t);
  const started = { ...taskOf(), ...(await worktrees.create(taskOf())), hasWorktree: true };
  commitIn(started.worktree, { "w.txt": "work\n" });
  for (const base of ["../../../outside", "../../config", "./x"]) {
    const entry = join(root, ".git", "worktrees", "forged");
    mkdirSync(entry, { recursive: true });
    writeFiles(entry, { gitdir: "/nowhere/.git\n", HEAD: `ref: refs/heads/${base}\n`, commondir: "../..\n" });
    await fails(worktrees.merge(started, base), "wrong_state", /leads out/);
  }
  assert.deepEqual([join(folder, "outside"), join(root, "outside")].map(existsSync), [false, false]);
  assert.equal(gitIn(root, "config", "core.bare"), "false");
});

test("tasks of several worktrees of one repository are merged at once", async (t) => {
  const { root, folder, git, task: taskOf, commit } = testRepository(t);
  const side = join(folder, "side");
  git("worktree", "add", "--quiet", "-b", "side", side);
  const tasks = [];
  for (const id of [1, 2, 3, 4]) {
    const at = id % 2 === 0 ? { root: side, base: "side" } : { root, base: "main" };
    const task = taskOf({ id, slug: `t${id}`, ...at });
    tasks.push({ ...task, ...(await worktrees.create(task)), hasWorktree: true });
  }
  for (const { id, worktree } of tasks) {
    for (const number of [1, 2, 3]) commitIn(worktree, { [`${id}-${number}.txt`]: `${number}\n` });
  }
  commit({ "x.txt": "1\n" });
  commitIn(side, { "y.txt": "1\n" });
  await Promise.all(tasks.map((task) => worktrees.merge(task, task.base ?? "")));
  assert.deepEqual([gitIn(root, "status", "--porcelain"), gitIn(side, "status", "--porcelain")], ["", ""]);
  assert.deepEqual([git("rev-list", "--count", "main"), git("rev-list", "--count", "side")], ["8", "8"]);
});

test("a base that is being rebased is not moved: that rebase could not end", async (t) => {
  const { root, git, commit, task: taskOf } = testRepository(t);
  const started = { ...taskOf(), ...(await worktrees.create(taskOf())), hasWorktree: true };
  commitIn(started.worktree, { "w.txt": "work\n" });
  git("switch", "--quiet", "--create", "other");
  commit({ "a.txt": "other\n" });
  git("switch", "--quiet", "main");
  commit({ "a.txt": "main\n" });
  assert.throws(() => git("rebase", "other"));
  const before = stateOf(root, started.worktree);
  await fails(worktrees.merge(started, "main"), "wrong_state", /main is being rebased in .*project/, /--continue/);
  assert.deepEqual(stateOf(root, started.worktree), before);
  writeFiles(root, { "a.txt": "both\n" });
  git("add", "--all");
  git("-c", "core.editor=true", "rebase", "--continue");
  await worktrees.merge(started, "main");
  assert.deepEqual([git("show", "main:w.txt"), git("show", "main:a.txt")], ["work", "both"]);
});

test("a base is not moved under a checkout whose folder git does not name", async (t) => {
  const { root, folder, task: taskOf } = testRepository(t);
  const [main, side] = [join(folder, "main"), join(folder, "side")];
  gitIn(folder, "clone", "--quiet", `--separate-git-dir=${join(folder, "store")}`, root, main);
  gitIn(main, "worktree", "add", "--quiet", "-b", "side", side);
  const task = taskOf({ root: side });
  const started = { ...task, ...(await worktrees.create(task)), hasWorktree: true };
  commitIn(started.worktree, { "w.txt": "work\n" });
  await fails(worktrees.merge(started, "main"), "wrong_state", /store does not name/, /nothing was changed/);
  assert.equal(gitIn(main, "status", "--porcelain"), "");
  await worktrees.merge(started, "side");
  assert.equal(gitIn(side, "show", "side:w.txt"), "work");
  gitIn(main, "switch", "--quiet", "--create", "elsewhere");
  await worktrees.merge(started, "main");
});

for (const name of ["HEAD", "refs/heads/x", "heads/x", "v1"]) {
  test(`a branch called ${name} is a base like any other, also beside a tag of this name`, async (t) => {
    const { root, git, commit, task: taskOf } = testRepository(t);
    git("tag", name === "HEAD" ? "other" : name);
    git("symbolic-ref", "HEAD", `refs/heads/${name}`);
    commit({ "b.txt": "b\n" });
    const { branch, head } = await worktrees.repository(root);
    assert.deepEqual([branch, head], [name, git("rev-parse", `refs/heads/${name}`)]);
    const task = taskOf({ base: name });
    const started = { ...task, ...(await worktrees.create(task)), hasWorktree: true };
    commitIn(started.worktree, { "w.txt": "work\n" });
    commit({ "c.txt": "c\n" });
    await worktrees.merge(started, name);
    assert.equal(git("show", `refs/heads/${name}:w.txt`), "work");
    assert.equal(git("status", "--porcelain"), "");
  });
}
