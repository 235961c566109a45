import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { createWorktrees } from "../../src/worktrees/worktrees.ts";
import { gatedGit } from "../support/gated-git.ts";
import { fails } from "./support/failure.ts";
import { testGuards } from "./support/guards.ts";
import { commitIn, type Files, gitIn, testRepository, writeFiles } from "./support/repository.ts";
import { filesOf, stateOf } from "./support/snapshot.ts";

const worktrees = createWorktrees(testGuards());

async function withTask(t: TestContext, files: Files = {}) {
  const repository = testRepository(t);
  repository.commit({ ...files, "keep.txt": "keep\n" });
  const task = repository.task();
  const started = { ...task, ...(await worktrees.create(task)), hasWorktree: true };
  return { ...repository, started };
}

/** What git ignores is in the way of what the merge would write. */
const inTheWay: readonly (readonly [string, (folder: string) => void, Files])[] = [
  ["a folder, of a file", (at) => writeFiles(at, { "build/deep/x": "ignored\n" }), { build: "file\n" }],
  ["a link, of a file", (at) => symlinkSync("nowhere", join(at, "build")), { build: "file\n" }],
  ["a file, of a folder", (at) => writeFiles(at, { build: "ignored\n" }), { "build/x": "file\n" }],
  ["a link, of a folder", (at) => symlinkSync("/tmp", join(at, "build")), { "build/x": "file\n" }],
  ["a file, of a file", (at) => writeFiles(at, { "build/x": "ignored\n" }), { "build/x": "file\n" }],
];

for (const [what, put, comes] of inTheWay) {
  for (const where of ["the task's worktree", "the user's checkout"]) {
    test(`a merge leaves ${where} with all that is ignored there: ${what}`, async (t) => {
      const { started, root } = await withTask(t, { ".gitignore": "build\n" });
      const isTask = where === "the task's worktree";
      const [full, other] = isTask ? [started.worktree, root] : [root, started.worktree];
      commitIn(full, { "w.txt": "work\n" });
      put(full);
      writeFiles(other, { ...comes, "keep.txt": "changed\n", "a.txt": "changed\n", "zz.txt": "new\n" });
      gitIn(other, "add", "--all", "--force");
      gitIn(other, "commit", "--quiet", "-m", "comes");
      const look = () => [stateOf(root, started.worktree), lstatSync(join(full, "build")).ino];
      const before = look();
      await fails(worktrees.merge(started, "main"), "conflict", /build/, /nothing was changed/);
      assert.deepEqual(look(), before);
    });
  }
}

const during: readonly (readonly [string, Files])[] = [
  ["changes a file that the base changed too", { "keep.txt": "of the agent\n" }],
  ["writes a file that the base has too", { "new.txt": "of the agent\n" }],
];

for (const [what, files] of during) {
  test(`an agent that ${what} while its commits are made again keeps it`, async (t) => {
    const gate = await gatedGit(t);
    const { started, root, commit } = await withTask(t);
    commitIn(started.worktree, { "w.txt": "work\n" });
    commit({ "keep.txt": "of the base\n", "new.txt": "of the base\n", "a.txt": "of the base\n" });
    const { PATH = "" } = process.env;
    process.env.PATH = gate.path;
    try {
      gate.stopBefore("rebase");
      const merging = worktrees.merge(started, "main").catch((error: unknown) => ({ error }));
      await gate.stopped();
      writeFiles(started.worktree, files);
      const before = [filesOf(started.worktree), filesOf(root), gitIn(root, "for-each-ref")];
      await gate.goOn();
      const answer = await merging;
      assert.ok("error" in answer);
      await fails(Promise.reject(answer.error), "conflict", /keep\.txt|new\.txt/, /nothing was changed/);
      assert.deepEqual([filesOf(started.worktree), filesOf(root), gitIn(root, "for-each-ref")], before);
    } finally {
      process.env.PATH = PATH;
    }
    const paths = gitIn(started.worktree, "ls-files", "--modified", "--others").split("\n");
    assert.deepEqual(paths, Object.keys(files), "index and branch belong together");
    assert.equal(gitIn(started.worktree, "diff", "--cached"), "");
  });
}

test("what an agent resolved and changed in a merge of its own is merged with it", async (t) => {
  const { started, commit, git } = await withTask(t);
  commitIn(started.worktree, { "w.txt": "work\n" });
  commit({ "base1.txt": "1\n" });
  gitIn(started.worktree, "merge", "--quiet", "--no-commit", "--no-ff", "main");
  commitIn(started.worktree, { "only-in-the-merge.txt": "here\n" });
  commit({ "base2.txt": "2\n" });
  const { commits, head } = await worktrees.merge(started, "main");
  assert.deepEqual([commits, git("rev-parse", "main")], [3, head]);
  assert.equal(git("show", "main:only-in-the-merge.txt"), "here");
  assert.equal(git("show", "main:base2.txt"), "2");
  assert.equal(git("log", "-1", "--format=%s"), `Merge main into ${started.branch}`);
  assert.equal(git("status", "--porcelain"), "");
  assert.equal(gitIn(started.worktree, "status", "--porcelain"), "");
});

test("a branch with merges that conflicts names the files and how to merge", async (t) => {
  const { started, root, commit } = await withTask(t);
  commitIn(started.worktree, { "keep.txt": "work\n" });
  commit({ "base1.txt": "1\n" });
  gitIn(started.worktree, "merge", "--quiet", "--no-edit", "main");
  commit({ "keep.txt": "base\n" });
  const before = stateOf(root, started.worktree);
  await fails(worktrees.merge(started, "main"), "conflict", /keep\.txt/, /git merge main/);
  assert.deepEqual(stateOf(root, started.worktree), before);
});

test("a commit that the base once had and took back is merged again", async (t) => {
  const { started, commit, git } = await withTask(t);
  const picked = commitIn(started.worktree, { "w.txt": "work\n" });
  commit({ "base.txt": "1\n" });
  git("cherry-pick", picked);
  git("revert", "--no-edit", "HEAD");
  await worktrees.merge(started, "main");
  assert.equal(git("show", "main:w.txt"), "work");
});

test("a user who switches branches while a merge begins gets no files of another branch", async (t) => {
  const { started, root, folder, git } = await withTask(t);
  commitIn(started.worktree, { "w.txt": "work\n" });
  git("branch", "other");
  // Where Paneward looks at the base that it has just locked, the user switches.
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const script = `#!/bin/sh
case " $* " in
  *" show-ref "*) test -e "${root}/.git/refs/heads/main.lock" && (unset GIT_DIR GIT_WORK_TREE; ${real} -C "${root}" switch -q other) ;;
esac
exec ${real} "$@"
`;
  writeFileSync(join(bin, "git"), script, { mode: 0o755 });
  const { PATH = "" } = process.env;
  process.env.PATH = `${bin}:${PATH}`;
  try {
    await fails(worktrees.merge(started, "main"), "conflict", /another branch/, /nothing was changed/);
  } finally {
    process.env.PATH = PATH;
  }
  assert.equal(git("status", "--porcelain", "--branch"), "## other");
  await worktrees.merge(started, "main");
  assert.equal(git("show", "main:w.txt"), "work");
});
