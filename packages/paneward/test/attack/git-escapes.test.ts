import assert from "node:assert/strict";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join, relative } from "node:path";
import { type TestContext, test } from "node:test";
import { PanewardError } from "@paneward/sdk";
import type { GitDirsRecord, Rescue, TaskRecord } from "../../src/model/records.ts";
import { createWorktrees } from "../../src/worktrees/worktrees.ts";
import { fails } from "../worktrees/support/failure.ts";
import { testGuards } from "../worktrees/support/guards.ts";
import { commitIn, gitIn, type TestRepository, testRepository, writeFiles } from "../worktrees/support/repository.ts";
import { filesOf } from "../worktrees/support/snapshot.ts";
import { forgeCommit, forgeIndexEntries, forgeObject, forgeTree, forgeTreeWith } from "./support/git-forgery.ts";

const worktrees = createWorktrees(testGuards());

interface Stage extends TestRepository {
  readonly gitDir: string;
  /** A folder of the user that no worktree contains. */
  readonly victim: string;
  readonly started: TaskRecord & { readonly gitDirs: GitDirsRecord };
}

async function stage(t: TestContext): Promise<Stage> {
  const repository = testRepository(t);
  const victim = join(repository.folder, "victim");
  writeFiles(victim, { bashrc: "the user's own\n", secret: "the user's secret\n" });
  const task = repository.task();
  const started = { ...task, ...(await worktrees.create(task)), hasWorktree: true };
  return { ...repository, gitDir: join(repository.root, ".git"), victim, started };
}

interface Removed extends Stage {
  readonly kept: Rescue & { readonly files: string };
  readonly outside: string;
}

/** A task that was removed with unsaved work; its rescue is what an agent forges. */
async function removed(t: TestContext): Promise<Removed> {
  const at = await stage(t);
  writeFiles(at.started.worktree, { unsaved: "work\n" });
  const kept = await worktrees.rescue(at.started, 1);
  await worktrees.remove(at.started);
  assert.ok(kept?.files);
  return { ...at, kept: { ...kept, files: kept.files }, outside: relative(at.started.worktree, at.victim) };
}

const forgedRescues: Readonly<Record<string, (at: Removed, tree: string) => void>> = {
  "a tree whose names lead out of the worktree": ({ gitDir, outside }, tree) =>
    forgeTreeWith(gitDir, `${outside}/bashrc`, "evil\n", tree),
  "a tree with a link and a folder of one name": ({ gitDir, victim }, tree) => {
    const id = forgeObject(gitDir, "blob", Buffer.from("evil\n"));
    const inside = forgeTree(gitDir, [{ mode: "100755", name: "new", id }]);
    const link = forgeObject(gitDir, "blob", Buffer.from(victim));
    const entries = [
      { mode: "120000", name: "a", id: link },
      { mode: "40000", name: "a", id: inside },
    ];
    forgeTree(gitDir, entries, tree);
  },
  "a tree that writes below .git": ({ gitDir }, tree) => forgeTreeWith(gitDir, ".GIT/config", "evil\n", tree),
};

for (const [name, forge] of Object.entries(forgedRescues)) {
  test(`a rescue replaced by ${name} is refused, and nothing is written`, async (t) => {
    const at = await removed(t);
    const before = filesOf(at.victim);
    forge(at, at.git("rev-parse", `${at.kept.files}^{tree}`));
    await fails(worktrees.restore(at.started, at.kept), "wrong_state", /leaves the worktree|in the way/);
    assert.deepEqual(filesOf(at.victim), before);
    assert.equal(readdirSync(join(at.started.worktree, "..")).length, 0);
  });
}

test("a reference that replaces the commit of a rescue changes nothing", async (t) => {
  const at = await removed(t);
  const { gitDir, kept, victim, outside } = at;
  const before = filesOf(victim);
  const forged = forgeCommit(gitDir, forgeTreeWith(gitDir, `${outside}/bashrc`, "evil\n"));
  mkdirSync(join(gitDir, "refs", "replace"), { recursive: true });
  writeFileSync(join(gitDir, "refs", "replace", kept.files), `${forged}\n`);
  await worktrees.restore(at.started, kept);
  assert.equal(readFileSync(join(at.started.worktree, "unsaved"), "utf8"), "work\n");
  assert.deepEqual(filesOf(victim), before);
});

test("a link in the worktree is not followed to remove or to write a file of a rescue", async (t) => {
  const at = await removed(t);
  const { gitDir, kept, victim } = at;
  const restored = { ...at.started, gitDirs: await worktrees.restore(at.started, { head: kept.head }) };
  // Ignored, so that the worktree has no newer work.
  writeFiles(gitDir, { "info/exclude": "a\n" });
  symlinkSync(victim, join(restored.worktree, "a"));
  forgeTreeWith(gitDir, "a/bashrc", "evil\n", at.git("rev-parse", `${kept.files}^{tree}`));
  const before = filesOf(victim);
  await fails(worktrees.restore(restored, kept), "wrong_state", /in the way/);
  assert.deepEqual(filesOf(victim), before);
});

interface Armed extends Stage {
  /** A git directory of the submodule `lib` whose filter leaves a file when it runs. */
  readonly module: string;
  readonly ran: () => boolean;
}

/** A repository with the submodule `lib`, and a task that was started before. */
async function withArmedModule(t: TestContext): Promise<Armed> {
  const at = await stage(t);
  const { folder, git, commit, root } = at;
  const lib = join(folder, "lib-source");
  mkdirSync(lib);
  gitIn(lib, "init", "--quiet");
  commitIn(lib, { "lib.txt": "lib\n" });
  git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", lib, "lib");
  commit({}, "with a submodule");
  const module = join(root, ".git", "prepared", "lib");
  cpSync(join(lib, ".git"), module, { recursive: true });
  rmSync(join(module, "index"));
  const canary = join(folder, "ran");
  gitIn(lib, "config", "--file", join(module, "config"), "filter.evil.smudge", `: > '${canary}'; cat`);
  writeFiles(module, { "info/attributes": "* filter=evil\n" });
  return { ...at, module, ran: () => existsSync(canary) };
}

test("an entry in git's list that only looks like the task's worktree is not taken for it", async (t) => {
  const at = await withArmedModule(t);
  const { git, gitDir, module, task: taskOf, ran } = at;
  const task = taskOf({ id: 2, slug: "sub" });
  const started = { ...task, ...(await worktrees.create(task)), hasWorktree: true };
  const decoy = (name: string, names: string) => {
    const head = git("rev-parse", "HEAD");
    writeFiles(join(gitDir, "worktrees", name), { gitdir: `${names}\n`, commondir: "../..\n", HEAD: `${head}\n` });
    cpSync(join(gitDir, "index"), join(gitDir, "worktrees", name, "index"));
  };
  decoy("000", join(started.worktree, "x"));
  decoy("001", join(started.worktree, ".git"));
  cpSync(module, join(gitDir, "worktrees", "000", "modules", "lib"), { recursive: true });
  cpSync(module, join(gitDir, "worktrees", "001", "modules", "lib"), { recursive: true });
  await worktrees.rescue(started, 1);
  await worktrees.remove(started);
  const again = await worktrees.create(task);
  assert.equal(again.gitDirs.worktree, join(gitDir, "worktrees", basename(task.worktree)));
  assert.equal(gitIn(task.worktree, "rev-parse", "--absolute-git-dir"), again.gitDirs.worktree);
  assert.equal(ran(), false);
});

test("git directories of submodules that appear while a worktree is made are not entered", async (t) => {
  const { gitDir, module, task: taskOf, ran } = await withArmedModule(t);
  const list = join(gitDir, "worktrees");
  const prepared = join(module, "..");
  const known = readdirSync(list);
  const timer = setInterval(() => {
    const made = readdirSync(list).find((name) => !known.includes(name));
    if (made === undefined) return;
    clearInterval(timer);
    renameSync(prepared, join(list, made, "modules"));
  }, 1);
  const task = taskOf({ id: 2, slug: "sub" });
  const started = { ...task, ...(await worktrees.create(task)), hasWorktree: true };
  assert.equal(existsSync(prepared), false);
  await worktrees.work(started);
  await worktrees.diff(started, false, 1_000_000);
  assert.equal(ran(), false);
});

test("a folder that the list of worktrees names, and that does not name it back, gets no files of a merge", async (t) => {
  const { folder, git, gitDir, started } = await stage(t);
  // A repository of the user, where the base seems to be checked out.
  const other = join(folder, "other");
  mkdirSync(other);
  gitIn(other, "init", "--quiet");
  commitIn(other, { Makefile: "all:\n" });
  commitIn(started.worktree, { evil: "evil\n" });
  git("switch", "--quiet", "--create", "elsewhere");
  writeFiles(join(gitDir, "worktrees", "000"), {
    gitdir: `${join(other, ".git")}\n`,
    commondir: "../..\n",
    HEAD: "ref: refs/heads/main\n",
  });
  cpSync(join(gitDir, "index"), join(gitDir, "worktrees", "000", "index"));
  const before = filesOf(other);
  await worktrees.merge(started, "main");
  assert.deepEqual(filesOf(other), before);
  assert.equal(git("show", "main:evil"), "evil");
});

/** Whether a file outside went into the repository as an object. */
function isStored({ git, victim, root }: Stage, name: string): boolean {
  const id = gitIn(root, "hash-object", join(victim, name));
  return git("cat-file", "--batch-all-objects", "--batch-check=%(objectname)").includes(id);
}

const emptyBlob = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";

const forgedIndexes: Readonly<Record<string, (at: Stage) => readonly string[]>> = {
  "a path with ..": ({ started, victim }) => [join(relative(started.worktree, victim), "secret")],
  "an absolute path": ({ victim }) => [join(victim, "secret")],
  "a path below .git": () => ["sub/.git/config"],
};

for (const [name, entries] of Object.entries(forgedIndexes)) {
  test(`an index with ${name} is refused, and nothing outside is read or written`, async (t) => {
    const at = await stage(t);
    const { started, victim, git } = at;
    commitIn(started.worktree, { "b.txt": "b\n" });
    const before = filesOf(victim);
    forgeIndexEntries(join(started.gitDirs.worktree ?? "", "index"), entries(at), emptyBlob);
    const attempts = [
      () => worktrees.diff(started, false, 1_000_000),
      () => worktrees.diff(started, true, 1_000_000),
      () => worktrees.work(started),
      () => worktrees.merge(started, "main"),
      () => worktrees.rescue(started, 1),
    ];
    for (const attempt of attempts) await fails(attempt(), "wrong_state", /leaves the worktree/, /index/);
    assert.equal(isStored(at, "secret"), false);
    assert.deepEqual(filesOf(victim), before);
    // The checkout that a merge writes into has an index that the agent can write, too.
    git("worktree", "prune");
    gitIn(started.worktree, "read-tree", "HEAD");
    forgeIndexEntries(join(at.gitDir, "index"), entries(at), emptyBlob);
    await fails(worktrees.merge(started, "main"), "wrong_state", /leaves the worktree/);
    assert.deepEqual(filesOf(victim), before);
  });
}

/** The command in the hint of an error, run as a person would run it. */
async function follow(attempt: Promise<unknown>, folder: string): Promise<void> {
  const error = await attempt.then(
    () => assert.fail("expected an error"),
    (cause: unknown) => cause,
  );
  assert.ok(error instanceof PanewardError, String(error));
  const [, command = ""] = /`git ([^`]+)` in /.exec(error.hint ?? "") ?? [];
  gitIn(folder, ...command.split(" "));
}

const brokenIndexes: Readonly<Record<string, (at: Stage, index: string) => void>> = {
  "names a path outside": ({ victim }, index) => forgeIndexEntries(index, [join(victim, "secret")], emptyBlob),
  "is no index": (_, index) => writeFileSync(index, "not an index\n"),
  "is empty": (_, index) => writeFileSync(index, ""),
  "was cut off": (_, index) => writeFileSync(index, readFileSync(index).subarray(0, 40)),
  "is split": ({ started }) => void gitIn(started.worktree, "update-index", "--split-index"),
};

for (const [name, damage] of Object.entries(brokenIndexes)) {
  test(`the hint about an index that ${name} names a command that helps and runs no hook`, async (t) => {
    const at = await stage(t);
    const { started, folder, gitDir } = at;
    writeFiles(started.worktree, { "a.txt": "changed\n", "new.txt": "new\n" });
    damage(at, join(started.gitDirs.worktree ?? "", "index"));
    writeFiles(gitDir, { "hooks/post-index-change": `#!/bin/sh\n: > '${folder}/ran'\n` });
    chmodSync(join(gitDir, "hooks", "post-index-change"), 0o755);
    await follow(worktrees.rescue(started, 1), started.worktree);
    const kept = await worktrees.rescue(started, 1);
    assert.equal(existsSync(join(folder, "ran")), false);
    await worktrees.remove(started);
    await worktrees.restore(started, kept);
    assert.equal(readFileSync(join(started.worktree, "a.txt"), "utf8"), "changed\n");
    assert.equal(readFileSync(join(started.worktree, "new.txt"), "utf8"), "new\n");
  });
}

test("a file behind a link to outside is neither shown nor kept", async (t) => {
  const at = await stage(t);
  const { started, victim } = at;
  commitIn(started.worktree, { "link/secret": "inside\n" });
  rmSync(join(started.worktree, "link"), { recursive: true });
  symlinkSync(victim, join(started.worktree, "link"));
  assert.doesNotMatch(await worktrees.diff(started, false, 1_000_000), /user's secret/);
  await worktrees.work(started);
  const kept = await worktrees.rescue(started, 1);
  assert.equal(isStored(at, "secret"), false);
  await worktrees.remove(started);
  await worktrees.restore(started, kept);
  assert.equal(readlinkSync(join(started.worktree, "link")), victim);
});

test("an index that is split into two files is refused with the command that joins them", async (t) => {
  const { started } = await stage(t);
  writeFiles(started.worktree, { link: "a name that is also in the format of a split index\n" });
  gitIn(started.worktree, "add", "link");
  assert.match(await worktrees.diff(started, false, 1_000_000), /a name that is also/);
  gitIn(started.worktree, "update-index", "--split-index");
  await fails(worktrees.diff(started, false, 1_000_000), "wrong_state", /split/, /update-index --no-split-index/);
  await fails(worktrees.rescue(started, 1), "wrong_state", /split/);
  gitIn(started.worktree, "update-index", "--no-split-index");
  assert.match(await worktrees.diff(started, false, 1_000_000), /a name that is also/);
});

test("an index in the place of which is a link is not written through it", async (t) => {
  const { started, root, folder, git } = await stage(t);
  commitIn(started.worktree, { "b.txt": "b\n" });
  const elsewhere = join(folder, "elsewhere");
  renameSync(join(root, ".git", "index"), elsewhere);
  symlinkSync(elsewhere, join(root, ".git", "index"));
  const before = readFileSync(elsewhere);
  await fails(worktrees.merge(started, "main"), "wrong_state", /plain file/);
  assert.deepEqual(readFileSync(elsewhere), before);
  assert.throws(() => git("show", "main:b.txt"));
});

const linkedPlaces: Readonly<Record<string, string>> = {
  "the log of the base": "logs/refs/heads/main",
  "the log of the task's branch": "logs/refs/heads/paneward/1-fix",
  "the log of HEAD": "logs/HEAD",
  "the folder of the logs": "logs/refs",
  "the folder of the task's branch": "refs/heads/paneward",
  "the folder of the rescues": "refs/paneward",
  "the list of refs": "packed-refs",
  "the list of worktrees": "worktrees",
};

for (const [name, path] of Object.entries(linkedPlaces)) {
  test(`${name} is not written through a link`, async (t) => {
    const { started, gitDir, victim, git, task: taskOf } = await stage(t);
    commitIn(started.worktree, { "b.txt": "b\n" });
    // git appends this name to a log, wherever a link leads.
    git("config", "user.name", "x; touch owned #");
    mkdirSync(join(gitDir, path, ".."), { recursive: true });
    if (existsSync(join(gitDir, path))) renameSync(join(gitDir, path), join(victim, "moved"));
    else writeFiles(victim, { moved: "" });
    symlinkSync(join(victim, "moved"), join(gitDir, path));
    const before = filesOf(victim);
    await fails(worktrees.merge(started, "main"), "wrong_state", /is a link/);
    await fails(worktrees.rescue(started, 1), "wrong_state", /is a link/);
    await fails(worktrees.remove(started), "wrong_state", /is a link/);
    if (!path.endsWith("1-fix")) {
      await fails(worktrees.create(taskOf({ id: 2, slug: "other" })), "wrong_state", /is a link/);
    }
    assert.deepEqual(filesOf(victim), before);
  });
}

test("the log of another base is not written through a link", async (t) => {
  const { started, gitDir, victim, git } = await stage(t);
  commitIn(started.worktree, { "b.txt": "b\n" });
  git("branch", "other");
  rmSync(join(gitDir, "logs", "refs", "heads", "other"));
  symlinkSync(join(victim, "bashrc"), join(gitDir, "logs", "refs", "heads", "other"));
  const before = filesOf(victim);
  await fails(worktrees.merge(started, "other"), "wrong_state", /is a link/);
  assert.deepEqual(filesOf(victim), before);
});
