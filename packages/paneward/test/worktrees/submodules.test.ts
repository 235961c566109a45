import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { createWorktrees } from "../../src/worktrees/worktrees.ts";
import { fails } from "./support/failure.ts";
import { testGuards } from "./support/guards.ts";
import { commitIn, gitIn, type TestRepository, testRepository } from "./support/repository.ts";
import { filesOf, stateOf } from "./support/snapshot.ts";

const guards = testGuards();
const worktrees = createWorktrees(guards);
const allowed = ["-c", "protocol.file.allow=always"];

/** A repository with the submodule `lib ☂`, which has the submodule `inner`; both come from local folders. */
function withSubmodule(t: TestContext): TestRepository {
  const repository = testRepository(t, { name: "my project" });
  const inner = source(repository, "inner-source");
  const lib = source(repository, "lib-source");
  gitIn(lib, ...allowed, "submodule", "--quiet", "add", inner, "inner");
  commitIn(lib, {});
  repository.git(...allowed, "submodule", "--quiet", "add", lib, "lib ☂");
  repository.git(...allowed, "submodule", "--quiet", "update", "--init", "--recursive");
  repository.commit({}, "with a submodule");
  return repository;
}

function source({ folder }: TestRepository, name: string): string {
  const at = join(folder, name);
  mkdirSync(at);
  gitIn(at, "init", "--quiet");
  commitIn(at, { "lib.txt": `${name}\n` });
  return at;
}

/** As an agent, a person or a setup script does it. */
function fill(folder: string): void {
  gitIn(folder, ...allowed, "submodule", "--quiet", "update", "--init", "--recursive");
}

const scratch = join(guards.folder, "setup", "1");
const nothing = { include: [], exclude: [], env: {}, allow: async () => {}, scratch };

test("submodules stay empty until somebody else fills them, and the bootstrap names those that are", async (t) => {
  const { root, task: taskOf } = withSubmodule(t);
  const before = stateOf(root);
  const task = { ...taskOf(), ...(await worktrees.create(taskOf())) };
  assert.equal(existsSync(join(task.worktree, "lib ☂", "lib.txt")), false);
  assert.equal(gitIn(task.worktree, "status", "--porcelain"), "");
  assert.deepEqual((await worktrees.bootstrap(task, nothing, () => {})).emptySubmodules, ["lib ☂"]);
  fill(task.worktree);
  assert.equal(readFileSync(join(task.worktree, "lib ☂", "inner", "lib.txt"), "utf8"), "inner-source\n");
  assert.deepEqual((await worktrees.bootstrap(task, nothing, () => {})).emptySubmodules, []);
  assert.deepEqual(await worktrees.work(task), { added: 0, removed: 0, ahead: 0 });
  await worktrees.remove(task);
  assert.equal(existsSync(task.worktree), false);
  assert.deepEqual(stateOf(root), before);
});

test("a setup script may fill them", async (t) => {
  const { task: taskOf } = withSubmodule(t);
  const task = { ...taskOf(), ...(await worktrees.create(taskOf())) };
  const cmd = "git -c protocol.file.allow=always submodule --quiet update --init --recursive";
  const { emptySubmodules } = await worktrees.bootstrap(task, { ...nothing, cmd }, () => {});
  assert.deepEqual(emptySubmodules, []);
  assert.equal(readFileSync(join(task.worktree, "lib ☂", "lib.txt"), "utf8"), "lib-source\n");
});

test("a task with submodules is merged, rescued and restored", async (t) => {
  const { git, commit, task: taskOf } = withSubmodule(t);
  const task = { ...taskOf(), ...(await worktrees.create(taskOf())) };
  fill(task.worktree);
  commitIn(task.worktree, { "b.txt": "b\n" });
  commit({ "meanwhile.txt": "x\n" });
  await worktrees.merge(task, "main");
  assert.equal(git("show", "main:b.txt"), "b");
  writeFileSync(join(task.worktree, "dirty.txt"), "dirty\n");
  const before = filesOf(task.worktree);
  const kept = await worktrees.rescue(task, 1);
  await worktrees.remove(task);
  await worktrees.restore(task, kept);
  fill(task.worktree);
  assert.deepEqual(Object.keys(filesOf(task.worktree)), Object.keys(before));
  assert.equal(gitIn(task.worktree, "status", "--porcelain"), "?? dirty.txt");
});

test("unpushed work in a submodule stops a rescue, so that it cannot be lost", async (t) => {
  const { task: taskOf } = withSubmodule(t);
  const task = taskOf();
  await worktrees.create(task);
  fill(task.worktree);
  const lib = join(task.worktree, "lib ☂");
  writeFileSync(join(lib, "new.txt"), "new\n");
  await fails(worktrees.rescue(task, 1), "wrong_state", /their own work: lib ☂/, /push/);
  commitIn(lib, {});
  commitIn(task.worktree, {}, "use the new lib");
  await fails(worktrees.rescue(task, 1), "wrong_state", /unpushed commits: lib ☂/, /push/);
  gitIn(lib, "push", "--quiet", "origin", "HEAD:refs/heads/from-task");
  assert.equal((await worktrees.rescue(task, 1))?.ref, "refs/paneward/rescue/1-fix/1");
});
