import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { TaskRecord } from "../../src/model/records.ts";
import { createWorktrees } from "../../src/worktrees/worktrees.ts";
import { fails } from "./support/failure.ts";
import { testGuards } from "./support/guards.ts";
import { commitIn, gitIn, type TestRepository, testRepository, writeFiles } from "./support/repository.ts";

const worktrees = createWorktrees(testGuards());

interface Stage extends TestRepository {
  readonly started: TaskRecord;
  readonly inWorktree: (...args: readonly string[]) => string;
}

async function withTask(t: TestContext): Promise<Stage> {
  const repository = testRepository(t);
  const task = repository.task();
  const started = { ...task, ...(await worktrees.create(task)), hasWorktree: true };
  return { ...repository, started, inWorktree: (...args) => gitIn(started.worktree, ...args) };
}

/** Whether a file of this content can be reached from a ref, after git has thrown away all else. */
function isReachable({ root, git }: TestRepository, content: string): boolean {
  git("reflog", "expire", "--expire=now", "--all");
  git("gc", "--quiet", "--prune=now");
  const id = execFileSync("git", ["hash-object", "--stdin"], { cwd: root, input: content, encoding: "utf8" }).trim();
  return git("rev-list", "--objects", "--all").includes(id);
}

const onlyHere: Readonly<Record<string, (stage: Stage) => void>> = {
  "an edit of a file that the index says to take for unchanged": ({ started, inWorktree }) => {
    inWorktree("update-index", "--assume-unchanged", "a.txt");
    writeFiles(started.worktree, { "a.txt": "precious\n" });
  },
  "an edit of a file that the index says to skip": ({ started, inWorktree }) => {
    inWorktree("update-index", "--skip-worktree", "a.txt");
    writeFiles(started.worktree, { "a.txt": "precious\n" });
  },
  "a file that is staged and gone": ({ started, inWorktree }) => {
    writeFiles(started.worktree, { "staged.txt": "precious\n" });
    inWorktree("add", "staged.txt");
    unlinkSync(join(started.worktree, "staged.txt"));
  },
  "a file that is staged and was changed since, beside a conflict": ({ started, inWorktree, commit }) => {
    commit({ "a.txt": "theirs\n" });
    commitIn(started.worktree, { "a.txt": "ours\n" });
    assert.throws(() => inWorktree("merge", "--quiet", "main"));
    writeFiles(started.worktree, { "staged.txt": "precious\n" });
    inWorktree("add", "staged.txt");
    writeFiles(started.worktree, { "staged.txt": "later\n" });
  },
  "what a rebase with --autostash has put aside": ({ started, inWorktree, commit }) => {
    commit({ "b.txt": "b\n", "a.txt": "theirs\n" });
    commitIn(started.worktree, { "a.txt": "ours\n", "c.txt": "c\n" });
    writeFiles(started.worktree, { "c.txt": "precious\n" });
    assert.throws(() => inWorktree("rebase", "--quiet", "--autostash", "main"));
    assert.ok(existsSync(join(started.gitDirs?.worktree ?? "", "rebase-merge", "autostash")));
  },
  "a commit that only a ref of this worktree names": ({ started, inWorktree }) => {
    const commit = commitIn(started.worktree, { "d.txt": "precious\n" });
    inWorktree("update-ref", "refs/worktree/mine", commit);
    inWorktree("reset", "--quiet", "--hard", "HEAD~");
  },
  "a commit of a detached HEAD whose folder was removed": ({ started, inWorktree }) => {
    inWorktree("checkout", "--quiet", "--detach");
    commitIn(started.worktree, { "d.txt": "precious\n" });
    rmSync(started.worktree, { recursive: true });
  },
  "a staged file whose folder was removed": ({ started, inWorktree }) => {
    writeFiles(started.worktree, { "staged.txt": "precious\n" });
    inWorktree("add", "staged.txt");
    rmSync(started.worktree, { recursive: true });
  },
  "files on a branch that has no commit": ({ started, inWorktree }) => {
    inWorktree("checkout", "--quiet", "--orphan", "other");
    writeFiles(started.worktree, { "new.txt": "precious\n" });
  },
  "files on a branch that was deleted": ({ started, git }) => {
    writeFiles(started.worktree, { "new.txt": "precious\n" });
    git("update-ref", "-d", `refs/heads/${started.branch}`);
  },
  "a commit of a branch that was deleted": ({ started, git }) => {
    commitIn(started.worktree, { "d.txt": "precious\n" });
    git("update-ref", "-d", `refs/heads/${started.branch}`);
  },
};

for (const [what, make] of Object.entries(onlyHere)) {
  test(`a rescue keeps ${what}`, async (t) => {
    const stage = await withTask(t);
    make(stage);
    await worktrees.requireRemovable(stage.started);
    assert.ok(await worktrees.rescue(stage.started, 1));
    await worktrees.remove(stage.started);
    assert.ok(isReachable(stage, "precious\n"));
  });
}

for (const [what, make] of Object.entries(onlyHere).filter(([name]) => name.includes("folder was removed"))) {
  test(`a new worktree in its place keeps ${what}`, async (t) => {
    const stage = await withTask(t);
    make(stage);
    await worktrees.create(stage.started);
    assert.ok(isReachable(stage, "precious\n"));
  });
}

test("a worktree that was removed by hand and had nothing of its own leaves no ref", async (t) => {
  const { started, git } = await withTask(t);
  commitIn(started.worktree, { "d.txt": "d\n" });
  rmSync(started.worktree, { recursive: true });
  await worktrees.create(started);
  assert.equal(git("for-each-ref", "refs/paneward"), "");
});

test("hidden files come back as they were; a sparse checkout's missing files are no change", async (t) => {
  const { started, inWorktree } = await withTask(t);
  inWorktree("update-index", "--skip-worktree", "a.txt");
  unlinkSync(join(started.worktree, "a.txt"));
  assert.equal(await worktrees.rescue(started, 1), undefined);
  writeFiles(started.worktree, { "a.txt": "hidden\n" });
  const kept = await worktrees.rescue(started, 1);
  await worktrees.remove(started);
  await worktrees.restore(started, kept);
  assert.equal(inWorktree("status", "--porcelain").trim(), "M a.txt");
});

test("a branch whose ref is damaged is not removed", async (t) => {
  const { started, root } = await withTask(t);
  commitIn(started.worktree, { "d.txt": "d\n" });
  writeFileSync(join(root, ".git", "refs", "heads", started.branch), "");
  await fails(worktrees.requireRemovable(started), "wrong_state", /HEAD/);
});
