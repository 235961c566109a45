import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type Locked, withFileLock } from "../../src/worktrees/file-lock.ts";
import type { Guards } from "../../src/worktrees/guard.ts";
import { withFolder } from "../../src/worktrees/held-folders.ts";
import { finishInterrupted } from "../../src/worktrees/interrupted.ts";
import { createWorktrees } from "../../src/worktrees/worktrees.ts";
import { testGuards } from "./support/guards.ts";
import { gitIn, temporaryFolder, testRepository } from "./support/repository.ts";
import { filesOf } from "./support/snapshot.ts";

/** As the next daemon does it; a git that still runs is not waited for. */
async function startAgain(guards: Guards): Promise<readonly string[]> {
  const reports: string[] = [];
  await finishInterrupted(guards, { later: () => reports.push("later"), report: (message) => reports.push(message) });
  return reports;
}

/** Takes a lock and never comes back to it, like a daemon that is killed. */
async function lockAndDie(
  t: TestContext,
  { commonDir, below, name, guards = testGuards() }: Place,
  before: (locked: Locked) => Promise<void> = async () => {},
): Promise<Guards> {
  const [locked, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const work = withFolder(commonDir, below, (folder) =>
    withFileLock(folder, { guards, commonDir, below, name }, async (lock) => {
      await before(lock);
      locked.resolve();
      await ended.promise;
    }),
  );
  t.after(() => {
    ended.resolve();
    return work;
  });
  await Promise.race([locked.promise, work]);
  return guards;
}

type Place = { readonly commonDir: string; readonly below: string; readonly name: string; readonly guards?: Guards };

function locksIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".lock"));
}

const places = [
  { below: "", name: "index" },
  { below: "", name: "packed-refs" },
  { below: "", name: "config" },
  { below: "refs/heads", name: "main" },
];

for (const { below, name } of places) {
  test(`a lock of ${name} that a killed daemon left is removed, and the file stays as it was`, async (t) => {
    const { root, git } = testRepository(t);
    const commonDir = join(root, ".git");
    git("pack-refs", "--all");
    git("commit", "--quiet", "--allow-empty", "-m", "second");
    const before = readFileSync(join(commonDir, below, name));
    const guards = await lockAndDie(t, { commonDir, below, name });
    assert.ok(existsSync(join(commonDir, below, `${name}.lock`)));
    git("for-each-ref");
    await startAgain(guards);
    assert.deepEqual(locksIn(commonDir), []);
    assert.deepEqual(readdirSync(guards.folder), []);
    assert.deepEqual(readFileSync(join(commonDir, below, name)), before);
  });
}

test("a lock that another git has taken since is left alone", async (t) => {
  const { root } = testRepository(t);
  const commonDir = join(root, ".git");
  const lock = join(commonDir, "index.lock");
  const guards = await lockAndDie(t, { commonDir, below: "", name: "index" }, async ({ ifKilled }) => {
    const index = join(temporaryFolder(t), "index");
    writeFileSync(index, "ours");
    await ifKilled({ kind: "index", index });
  });
  rmSync(lock);
  writeFileSync(lock, "theirs");
  const before = readFileSync(join(commonDir, "index"));
  assert.deepEqual(await startAgain(guards), []);
  assert.equal(readFileSync(lock, "utf8"), "theirs");
  assert.deepEqual(locksIn(commonDir), ["index.lock"]);
  assert.deepEqual(readFileSync(join(commonDir, "index")), before);
});

test("cleaning up writes through no link and into no file that an agent gave the names of our lock", async (t) => {
  const { root, folder } = testRepository(t);
  const commonDir = join(root, ".git");
  const victim = join(folder, "victim");
  mkdirSync(victim);
  for (const name of ["file", "index", "main"]) writeFileSync(join(victim, name), "of the user");
  const before = filesOf(victim);
  const guards = await lockAndDie(t, { commonDir, below: "", name: "index" }, async ({ ifKilled }) => {
    const index = join(temporaryFolder(t), "index");
    writeFileSync(index, "ours");
    await ifKilled({ kind: "index", index });
  });
  await lockAndDie(t, { commonDir, below: "refs/heads", name: "main", guards });
  for (const name of locksIn(commonDir).filter((lock) => !lock.includes("/"))) {
    rmSync(join(commonDir, name));
    linkSync(join(victim, "file"), join(commonDir, name));
  }
  for (const name of readdirSync(join(commonDir, "refs", "heads"))) {
    if (name.endsWith(".lock")) linkSync(join(commonDir, "refs", "heads", name), join(victim, name));
  }
  const withLocks = filesOf(victim);
  renameSync(join(commonDir, "refs", "heads"), join(folder, "away"));
  symlinkSync(victim, join(commonDir, "refs", "heads"));
  await startAgain(guards);
  assert.deepEqual(filesOf(victim), withLocks);
  assert.deepEqual(readFileSync(join(victim, "file"), "utf8"), "of the user");
  assert.equal(Object.keys(before).length + 2, Object.keys(withLocks).length);
});

test("private folders and files by half of a killed daemon are removed; objects and what a git works in stay", async (t) => {
  const { root, folder } = testRepository(t);
  const guards = testGuards();
  await createWorktrees(guards).branchCommit({ root }, "main");
  const kept = readdirSync(guards.folder).toSorted();
  const [guard = "", objects = ""] = kept;
  mkdirSync(join(guards.folder, objects, "ab"));
  writeFileSync(join(guards.folder, objects, "ab", "cd"), "an object");
  const before = filesOf(guards.folder);
  for (const name of ["index-a", "own-b", "files-c"]) mkdirSync(join(guards.folder, name));
  const halves = [
    "config-12",
    "unfinished-ab.new",
    `${guard}/HEAD.1.2`,
    `${guard}/config.1.2`,
    `${objects}/ab/tmp_obj_x`,
  ];
  for (const name of halves) writeFileSync(join(guards.folder, name), "half");
  const git = spawn("git", ["cat-file", "--batch"], { cwd: root, stdio: ["pipe", "ignore", "ignore"] });
  t.after(() => git.kill());
  await once(git, "spawn");
  mkdirSync(join(guards.folder, "own-works"));
  writeFileSync(join(guards.folder, "own-works", "pid"), `${git.pid}\n`);
  await startAgain(guards);
  assert.deepEqual(readdirSync(guards.folder).toSorted(), [...kept, "own-works"]);
  const ended = once(git, "exit");
  git.stdin.end();
  await ended;
  await startAgain(guards);
  assert.deepEqual(filesOf(guards.folder), before);
  assert.ok(existsSync(folder));
});

test("a note that a power cut has spoiled is reported, and keeps nothing else from being finished", async (t) => {
  const { root } = testRepository(t);
  const commonDir = join(root, ".git");
  const guards = await lockAndDie(t, { commonDir, below: "", name: "index" });
  for (const [name, text] of [
    ["ab", ""],
    ["cd", "{}"],
    ["ef", '{"common'],
  ]) {
    writeFileSync(join(guards.folder, `unfinished-${name}`), text ?? "");
  }
  assert.deepEqual(
    (await startAgain(guards)).map((report) => /cannot be read/.test(report)),
    [true, true, true, false],
  );
  assert.deepEqual([locksIn(commonDir), readdirSync(guards.folder)], [[], []]);
});

const worktrees = createWorktrees(testGuards());

test("a worktree that was never filled is filled; an index that an agent removed changes nothing", async (t) => {
  const { task, git } = testRepository(t);
  const begun = task({ hasWorktree: false });
  const { gitDirs } = await worktrees.create(begun);
  rmSync(join(gitDirs.worktree ?? "", "index"));
  writeFileSync(join(begun.worktree, "a.txt"), "by half");
  await worktrees.create({ ...begun, gitDirs, hasWorktree: true });
  assert.equal(readFileSync(join(begun.worktree, "a.txt"), "utf8"), "by half");
  await worktrees.create(begun);
  assert.equal(readFileSync(join(begun.worktree, "a.txt"), "utf8"), "one\ntwo\nthree\n");
  assert.equal(gitIn(begun.worktree, "status", "--porcelain"), "");
  git("worktree", "prune");
});

for (const files of [[], ["gitdir"], ["gitdir", "locked"], ["gitdir", "locked", "commondir", "HEAD"]]) {
  test(`an entry of git's list that has only ${files.join(", ") || "its folder"} is made whole`, async (t) => {
    const { task, root, git } = testRepository(t);
    const begun = task({ hasWorktree: false });
    const { gitDirs } = await worktrees.create(begun);
    const entry = gitDirs.worktree ?? "";
    writeFileSync(join(entry, "locked"), "initializing\n");
    for (const name of readdirSync(entry)) if (!files.includes(name)) rmSync(join(entry, name), { recursive: true });
    for (const name of readdirSync(begun.worktree)) rmSync(join(begun.worktree, name));
    await worktrees.create(begun);
    assert.equal(gitIn(begun.worktree, "status", "--porcelain"), "");
    assert.equal(readdirSync(join(root, ".git", "worktrees")).length, 1);
    assert.doesNotMatch(git("worktree", "list", "--porcelain"), /locked/);
  });
}

test("a restore that was killed before the worktree had its files can be repeated", async (t) => {
  const { task } = testRepository(t);
  const begun = task({ hasWorktree: false });
  const { gitDirs, baseCommit } = await worktrees.create(begun);
  const removed = { ...begun, gitDirs, baseCommit, hasWorktree: true };
  rmSync(join(gitDirs.worktree ?? "", "index"));
  writeFileSync(join(gitDirs.worktree ?? "", "locked"), "initializing\n");
  rmSync(join(begun.worktree, "a.txt"));
  await worktrees.restore(removed, undefined);
  assert.equal(gitIn(begun.worktree, "status", "--porcelain"), "");
  assert.equal(readFileSync(join(begun.worktree, "a.txt"), "utf8"), "one\ntwo\nthree\n");
});

test("of a worktree that has only some of its files, nothing is kept and all is removed", async (t) => {
  const { task, git } = testRepository(t);
  const begun = task({ hasWorktree: false });
  const { gitDirs } = await worktrees.create(begun);
  rmSync(join(gitDirs.worktree ?? "", "index"));
  writeFileSync(join(gitDirs.worktree ?? "", "locked"), "initializing\n");
  rmSync(join(begun.worktree, "a.txt"));
  await worktrees.requireRemovable(begun);
  assert.equal(await worktrees.rescue(begun, 1), undefined);
  await worktrees.remove(begun);
  assert.equal(git("for-each-ref", "refs/heads/paneward", "refs/paneward"), "");
});
