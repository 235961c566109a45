import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { createWorktrees } from "../../src/worktrees/worktrees.ts";
import { testGuards } from "../worktrees/support/guards.ts";
import { commitIn, gitIn, testRepository, writeFiles } from "../worktrees/support/repository.ts";
import { quickAgent } from "./support/quick-agent.ts";

const worktrees = createWorktrees(testGuards());

/** A repository in which every kind of place exists that git writes to. */
function stage(t: TestContext) {
  const repository = testRepository(t);
  const { git, root } = repository;
  git("branch", "other");
  git("pack-refs", "--all");
  mkdirSync(join(root, ".git", "worktrees"));
  return { ...repository, gitDir: join(root, ".git"), agent: quickAgent(repository.folder) };
}

const places: Readonly<Record<string, readonly string[]>> = {
  "folders and files": [
    ...["refs", "logs", "objects", "worktrees", "info"],
    ...["packed-refs", "HEAD", "ORIG_HEAD", "config", "index", "AUTO_MERGE"],
  ],
  ...(process.env.PANEWARD_SOAK === "1" && {
    "folders in them": [
      ...["refs/heads", "refs/paneward", "logs/refs", "logs/HEAD", "objects/pack", "objects/info"],
      "worktrees/1-fix",
    ],
    "what belongs to branches": [
      ...["refs/heads/paneward", "refs/heads/main", "logs/refs/heads/paneward", "logs/refs/heads/main"],
      ...["worktrees/1-fix/logs", "worktrees/1-fix/HEAD", "worktrees/1-fix/index", "objects/00"],
    ],
  }),
};

for (const [name, paths] of Object.entries(places)) {
  test(`git writes nothing behind links that take the place of ${name} while it runs`, async (t) => {
    const { root, git, commit, task: taskOf, gitDir, agent } = stage(t);
    const task = taskOf();
    const at = paths.map((path) => join(gitDir, path));
    const flipped = <Result>(work: () => Promise<Result>) => agent.during(at, work);
    const started = { ...task, ...(await flipped(() => worktrees.create(task))), hasWorktree: true };
    commitIn(started.worktree, { "b.txt": "b\n" }, "task");
    commit({ "meanwhile.txt": "x\n" });
    assert.equal((await flipped(() => worktrees.merge(started, "main"))).commits, 1);
    assert.equal(git("show", "main:b.txt"), "b");
    assert.equal(readFileSync(join(root, "b.txt"), "utf8"), "b\n");
    commitIn(started.worktree, { "c.txt": "c\n" }, "more");
    await flipped(() => worktrees.merge(started, "other"));
    writeFiles(started.worktree, { unsaved: "work\n" });
    const kept = await flipped(() => worktrees.rescue(started, 1));
    await flipped(() => worktrees.remove(started));
    assert.equal(git("branch", "--list", started.branch), "");
    await flipped(() => worktrees.restore(started, kept));
    assert.equal(readFileSync(join(started.worktree, "unsaved"), "utf8"), "work\n");
    assert.equal(gitIn(started.worktree, "log", "-1", "--format=%s"), "more");
    assert.deepEqual(agent.wrote(), []);
    assert.deepEqual(agent.flipped().toSorted(), at.toSorted());
    assert.equal(git("fsck", "--connectivity-only", "--no-dangling"), "");
  });
}

const redirections = { "the repository": (gitDir: string) => gitDir, "the worktree": (_: string, own: string) => own };

for (const [name, folderOf] of Object.entries(redirections)) {
  test(`a commondir file in the git directory of ${name} moves no ref of another repository`, async (t) => {
    const { folder, root, git, commit, task: taskOf, gitDir } = stage(t);
    const task = taskOf();
    const { gitDirs, ...created } = await worktrees.create(task);
    const started = { ...task, ...created, gitDirs, hasWorktree: true };
    const other = join(folder, "other");
    gitIn(folder, "clone", "--quiet", root, other);
    gitIn(other, "branch", task.branch);
    commitIn(started.worktree, { "b.txt": "b\n" });
    commit({ "meanwhile.txt": "x\n" });
    git("switch", "--quiet", "other");
    const refs = gitIn(other, "for-each-ref");
    const forged = join(folderOf(gitDir, gitDirs.worktree ?? ""), "commondir");
    writeFileSync(forged, `${join(other, ".git")}\n`);
    assert.equal((await worktrees.merge(started, "main")).commits, 1);
    const kept = await worktrees.rescue(started, 1);
    await worktrees.remove(started);
    await worktrees.restore(started, kept);
    assert.equal(gitIn(other, "for-each-ref"), refs);
  });
}
