import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { TaskRecord } from "../../src/model/records.ts";
import { createWorktrees } from "../../src/worktrees/worktrees.ts";
import { fails } from "./support/failure.ts";
import { testGuards } from "./support/guards.ts";
import { commitIn, type Files, gitIn, type TestRepository, testRepository, writeFiles } from "./support/repository.ts";
import { filesOf, stateOf } from "./support/snapshot.ts";

const worktrees = createWorktrees(testGuards());

async function withTask(t: TestContext, files: Files = {}): Promise<TestRepository & { readonly started: TaskRecord }> {
  const repository = testRepository(t);
  repository.commit({ ...files, "keep.txt": "keep\n" });
  const task = repository.task();
  return { ...repository, started: { ...task, ...(await worktrees.create(task)) } };
}

test("files are restored byte for byte: changed, deleted, new, executable, linked and oddly named", async (t) => {
  const { git, started } = await withTask(t, {
    "changed.txt": "before\n",
    "deleted.txt": "x\n",
    "becomes-folder": "x\n",
    "folder/becomes/file.txt": "x\n",
    "mode.sh": "#!/bin/sh\n",
    "crlf.txt": "a\nb\n",
    ".gitattributes": "*.txt text=auto eol=lf\n*.id ident\n*.enc working-tree-encoding=UTF-16\n",
    "link-becomes-file": "x\n",
  });
  const at = (path: string) => join(started.worktree, path);
  const head = commitIn(started.worktree, { "committed.txt": "by the task\n" });
  for (const path of ["deleted.txt", "becomes-folder", "folder/becomes/file.txt"]) unlinkSync(at(path));
  rmSync(at("folder"), { recursive: true });
  writeFiles(started.worktree, {
    "changed.txt": "after\n",
    "becomes-folder/now/inside.txt": "inside\n",
    folder: "now a file\n",
    "crlf.txt": "a\r\nb\r\n",
    "new/deep/random.bin": Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7919) % 256)),
    "new/empty": "",
    "keyword.id": "$Id: not expanded $\n",
    "odd.enc": Buffer.from([0xff, 0xfe, 0x00, 0xd8]),
    "new/ ünï ☂ #%.txt": "name\n",
    'new/"quoted" \\ back': "name\n",
    '"begins with a quote': "name\n",
    "new/line\nbreak": "name\n",
    "new/ends in cr\r": "name\n",
    "new/-dash": "name\n",
    "new/:(top)*": "name\n",
    "staged only.txt": "staged\n",
    "new/run.sh": "#!/bin/sh\n",
  });
  writeFileSync(Buffer.concat([Buffer.from(`${started.worktree}/`), Buffer.from([0xff, 0xfe, 0x41])]), "not UTF-8\n");
  chmodSync(at("new/run.sh"), 0o755);
  chmodSync(at("mode.sh"), 0o755);
  unlinkSync(at("link-becomes-file"));
  symlinkSync("nowhere/☂", at("link-becomes-file"));
  symlinkSync("/etc", at("link-out"));
  gitIn(started.worktree, "add", "--all", "staged only.txt", "folder");
  const before = filesOf(started.worktree);

  const kept = await worktrees.rescue(started, 1234);
  assert.deepEqual(filesOf(started.worktree), before);
  assert.equal(kept?.ref, "refs/paneward/rescue/1-fix/1234");
  assert.equal(kept.head, head);
  await worktrees.remove(started);
  assert.equal(existsSync(started.worktree), false);
  assert.equal(await worktrees.branchCommit(started, started.branch), undefined);
  git("reflog", "expire", "--expire=now", "--all");
  git("gc", "--quiet", "--prune=now");

  await worktrees.restore(started, kept);
  assert.deepEqual(filesOf(started.worktree), before);
  assert.equal(gitIn(started.worktree, "rev-parse", started.branch), head);
  assert.equal(gitIn(started.worktree, "branch", "--show-current"), started.branch);
});

test("what cannot be saved or removed is refused before, and looking changes nothing", async (t) => {
  const { git, root, started, folder } = await withTask(t);
  const refused = async (code: string, message: RegExp) => {
    const before = stateOf(root);
    await assert.rejects(worktrees.requireRemovable(started), { code, message });
    assert.deepEqual(stateOf(root), before);
  };
  writeFiles(started.worktree, { "new.txt": "new\n" });
  const before = stateOf(root);
  await worktrees.requireRemovable(started);
  assert.deepEqual(stateOf(root), before);
  gitIn(started.worktree, "init", "--quiet", "nested");
  writeFiles(join(started.worktree, "nested"), { "x.txt": "x\n" });
  await refused("wrong_state", /repositories with their own work: nested/);
  rmSync(join(started.worktree, "nested"), { recursive: true });
  git("worktree", "add", "--quiet", "--force", join(folder, "other"), started.branch);
  await refused("wrong_state", /is checked out in/);
  git("worktree", "remove", join(folder, "other"));
  writeFileSync(join(started.gitDirs?.worktree ?? "", "index"), "no index");
  await refused("wrong_state", /cannot be read/);
});

test("the refs of a rescue hold the branch's head and the files", async (t) => {
  const { git, started } = await withTask(t);
  const head = commitIn(started.worktree, { "b.txt": "b\n" });
  writeFileSync(join(started.worktree, "dirty.txt"), "dirty\n");
  const kept = await worktrees.rescue(started, 7);
  assert.equal(git("rev-parse", "refs/paneward/rescue/1-fix/7/head"), head);
  assert.equal(git("rev-parse", "refs/paneward/rescue/1-fix/7/files"), kept?.files);
  assert.equal(git("show", `${kept?.files}:dirty.txt`), "dirty");
});

test("nothing is kept of a clean task without commits, or with merged ones", async (t) => {
  const { git, commit, started } = await withTask(t);
  assert.equal(await worktrees.rescue(started, 1), undefined);
  commitIn(started.worktree, { "b.txt": "b\n" });
  commit({ "c.txt": "c\n" });
  await worktrees.merge(started, "main");
  assert.equal(await worktrees.rescue(started, 2), undefined);
  assert.equal(git("for-each-ref", "refs/paneward"), "");
});

test("a task with merged work comes back with it, though nothing had to be kept", async (t) => {
  const { commit, started } = await withTask(t);
  commitIn(started.worktree, { "b.txt": "b\n" });
  commit({ "c.txt": "c\n" });
  const { head } = await worktrees.merge(started, "main");
  const before = filesOf(started.worktree);
  await worktrees.remove(started);
  await worktrees.restore(started, { head });
  assert.deepEqual(filesOf(started.worktree), before);
});

test("ignored files alone are not rescued", async (t) => {
  const { started } = await withTask(t, { ".gitignore": "build/\n" });
  writeFiles(started.worktree, { "build/out.o": "x" });
  assert.equal(await worktrees.rescue(started, 1), undefined);
});

test("commits alone are kept without a commit of files", async (t) => {
  const { started } = await withTask(t);
  const head = commitIn(started.worktree, { "b.txt": "b\n" });
  assert.deepEqual(await worktrees.rescue(started, 5), { ref: "refs/paneward/rescue/1-fix/5", head });
});

test("a second rescue in the same millisecond does not replace the first", async (t) => {
  const { git, started } = await withTask(t);
  commitIn(started.worktree, { "b.txt": "b\n" });
  const first = await worktrees.rescue(started, 5);
  const later = commitIn(started.worktree, { "c.txt": "c\n" });
  const second = await worktrees.rescue(started, 5);
  assert.notEqual(first?.ref, second?.ref);
  assert.equal(git("rev-parse", `${first?.ref}/head`), first?.head);
  assert.equal(second?.head, later);
});

test("a rescue keeps the index, the branch and the work in progress of the agent as they are", async (t) => {
  const { started } = await withTask(t);
  writeFiles(started.worktree, { "staged.txt": "1\n", "a.txt": "x\n" });
  gitIn(started.worktree, "add", "staged.txt");
  const status = gitIn(started.worktree, "status", "--porcelain");
  await worktrees.rescue(started, 1);
  assert.equal(gitIn(started.worktree, "status", "--porcelain"), status);
});

test("commits on a HEAD that left the branch are kept too", async (t) => {
  const { git, started } = await withTask(t);
  gitIn(started.worktree, "checkout", "--quiet", "--detach");
  const stray = commitIn(started.worktree, { "stray.txt": "stray\n" });
  const kept = await worktrees.rescue(started, 1);
  await worktrees.remove(started);
  assert.equal(git("merge-base", "--is-ancestor", stray, kept?.files ?? ""), "");
  await worktrees.restore(started, kept);
  assert.equal(filesOf(started.worktree)["stray.txt"], "- stray\n");
});

test("a rebase stopped at a conflict is kept with its files", async (t) => {
  const { commit, started } = await withTask(t);
  commitIn(started.worktree, { "a.txt": "task\n" });
  commit({ "a.txt": "main\n" });
  assert.throws(() => gitIn(started.worktree, "rebase", "main"));
  const before = filesOf(started.worktree);
  const kept = await worktrees.rescue(started, 1);
  await worktrees.remove(started);
  await worktrees.restore(started, kept);
  assert.deepEqual(filesOf(started.worktree), before);
});

test("the branch is kept when only the folder is gone", async (t) => {
  const { started } = await withTask(t);
  const head = commitIn(started.worktree, { "b.txt": "b\n" });
  rmSync(started.worktree, { recursive: true });
  const kept = await worktrees.rescue(started, 1);
  assert.equal(kept?.head, head);
  await worktrees.remove(started);
  await worktrees.restore(started, kept);
  assert.equal(gitIn(started.worktree, "rev-parse", "HEAD"), head);
});

test("a worktree without its .git file is rescued, and the root is not mistaken for it", async (t) => {
  const { root, write, started } = await withTask(t);
  const inside = { ...started, worktree: join(root, ".paneward", "worktrees", "1-fix") };
  await worktrees.remove(started);
  await worktrees.create(inside);
  write({ "root-dirt.txt": "the user's\n", ".git/info/exclude": "/.paneward/\n" });
  writeFiles(inside.worktree, { "dirty.txt": "dirty\n" });
  unlinkSync(join(inside.worktree, ".git"));
  const kept = await worktrees.rescue(inside, 1);
  await worktrees.remove(inside);
  assert.equal(existsSync(inside.worktree), false);
  await worktrees.restore(inside, kept);
  assert.equal(filesOf(inside.worktree)["dirty.txt"], "- dirty\n");
  assert.equal(filesOf(inside.worktree)["root-dirt.txt"], undefined);
  assert.equal(filesOf(root)["root-dirt.txt"], "- the user's\n");
});

test("a repository cloned into the worktree is never lost silently", async (t) => {
  const { root, started } = await withTask(t);
  mkdirSync(join(started.worktree, "clone"));
  gitIn(join(started.worktree, "clone"), "init", "--quiet");
  writeFiles(started.worktree, { "clone/x.txt": "x\n" });
  const before = stateOf(root, started.worktree);
  await fails(
    worktrees.rescue(started, 1),
    "wrong_state",
    /repositories with their own work: clone/,
    /move the folder/,
  );
  assert.deepEqual(stateOf(root, started.worktree), before);
});

test("removing ignores what is gone and touches nothing else", async (t) => {
  const { root, git, task, started } = await withTask(t);
  const before = { ...stateOf(root) };
  const neighbour = task({ id: 2 });
  await worktrees.create(neighbour);
  await worktrees.remove(started);
  await worktrees.remove(started);
  assert.equal(await worktrees.exists(neighbour), true);
  await worktrees.remove(neighbour);
  assert.notDeepEqual(stateOf(root), before);
  assert.equal(git("worktree", "list").split("\n").length, 1);
  rmSync(root, { recursive: true });
  assert.equal(await worktrees.rescue(started, 1), undefined);
  await worktrees.remove(started);
});

test("a task's branch that is checked out elsewhere is not removed", async (t) => {
  const { root, git, started } = await withTask(t);
  gitIn(started.worktree, "checkout", "--quiet", "--detach");
  git("checkout", "--quiet", started.branch);
  const before = stateOf(root, started.worktree);
  await fails(worktrees.remove(started), "wrong_state", /is checked out in .*project/);
  assert.deepEqual(stateOf(root, started.worktree), before);
});

test("a locked worktree, as git leaves one after a crash, can be removed", async (t) => {
  const { git, started } = await withTask(t);
  git("worktree", "lock", started.worktree, "--reason", "initializing");
  await worktrees.remove(started);
  assert.equal(git("worktree", "list").split("\n").length, 1);
});

test("without a rescue a task is restored to its starting commit", async (t) => {
  const { commit, started } = await withTask(t);
  await worktrees.remove(started);
  commit({ "later.txt": "x\n" });
  await worktrees.restore(started, undefined);
  assert.equal(gitIn(started.worktree, "rev-parse", "HEAD"), started.baseCommit);
});

test("a restore never overwrites other work, and can be repeated after a crash", async (t) => {
  const { root, started } = await withTask(t);
  commitIn(started.worktree, { "b.txt": "b\n" });
  writeFileSync(join(started.worktree, "dirty.txt"), "dirty\n");
  const kept = await worktrees.rescue(started, 1);
  const before = stateOf(root, started.worktree);
  await fails(worktrees.restore(started, kept), "wrong_state", /has newer work/);
  assert.deepEqual(stateOf(root, started.worktree), before);
  unlinkSync(join(started.worktree, "dirty.txt"));
  await worktrees.restore(started, kept);
  assert.equal(filesOf(started.worktree)["dirty.txt"], "- dirty\n");
  commitIn(started.worktree, { "c.txt": "c\n" });
  await fails(worktrees.restore(started, kept), "wrong_state", /has newer work/);
});

test("a restore whose objects are gone leaves nothing half done", async (t) => {
  const { root, started } = await withTask(t);
  await worktrees.remove(started);
  const before = stateOf(root);
  const head = started.baseCommit ?? "";
  const lost = { ref: "refs/paneward/rescue/1-fix/1", head, files: "1".repeat(40) };
  await fails(worktrees.restore(started, lost), "wrong_state", /fatal|bad object|gone/, /git fsck/);
  assert.deepEqual(stateOf(root), before);
  assert.equal(existsSync(started.worktree), false);
});
