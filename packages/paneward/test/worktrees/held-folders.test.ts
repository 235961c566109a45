import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { PanewardError } from "@paneward/sdk";
import { withFolder } from "../../src/worktrees/held-folders.ts";
import { moveRef, movingRef } from "../../src/worktrees/move-refs.ts";
import { removeTree } from "../../src/worktrees/remove-tree.ts";
import { fails } from "./support/failure.ts";
import { testGuards } from "./support/guards.ts";
import { gitIn, temporaryFolder, testRepository, writeFiles } from "./support/repository.ts";
import { filesOf } from "./support/snapshot.ts";

const linux = { skip: process.platform === "linux" ? false : "folders are held by their handle on Linux only" };

/** Puts a link to `to` in the place of a folder. */
function flip(path: string, to: string): void {
  renameSync(path, `${path}.away`);
  symlinkSync(to, path);
}

function victimIn(folder: string): string {
  const victim = join(folder, "victim");
  writeFiles(victim, { "heads/main": "the user's own\n", "b/c/kept": "kept\n" });
  return victim;
}

test("a name in a held folder stays in it when a link takes the folder's place", linux, async (t) => {
  const folder = temporaryFolder(t);
  const victim = victimIn(folder);
  mkdirSync(join(folder, "a", "b"), { recursive: true });
  const before = filesOf(victim);
  await withFolder(folder, "a/b", async (held) => {
    flip(join(folder, "a"), victim);
    await writeFile(held.at("new"), "text\n");
  });
  assert.deepEqual(filesOf(victim), before);
  assert.equal(readFileSync(join(folder, "a.away", "b", "new"), "utf8"), "text\n");
});

test("a folder behind a link is refused, and a missing one is made only on demand", async (t) => {
  const folder = temporaryFolder(t);
  const victim = victimIn(folder);
  symlinkSync(victim, join(folder, "link"));
  writeFileSync(join(folder, "file"), "");
  const enter = (path: string) => withFolder(folder, path, async () => "entered", { make: true });
  await fails(enter("link/heads"), "wrong_state", /link is a link/);
  await fails(enter("link"), "wrong_state", /link is a link/);
  await fails(enter("file/x"), "wrong_state", /file is not a folder/);
  assert.equal(await withFolder(folder, "x/y", async () => "entered"), undefined);
  assert.equal(await enter("x/y"), "entered");
  assert.deepEqual(readdirSync(join(folder, "x")), ["y"]);
});

test("removing a folder removes links, not what they lead to, and files of any name", async (t) => {
  const folder = temporaryFolder(t);
  const victim = victimIn(folder);
  const before = filesOf(victim);
  writeFiles(join(folder, "tree"), { "a/b/file": "x", "c/file": "y", top: "z" });
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/tree/`), Buffer.from([0xff, 0xfe])]), "not UTF-8");
  symlinkSync(victim, join(folder, "tree", "link"));
  symlinkSync(victim, join(folder, "alone"));
  const remove = (name: string) => withFolder(folder, "", (held) => removeTree(held, name));
  for (const name of ["tree", "alone", "missing"]) await remove(name);
  assert.deepEqual([existsSync(join(folder, "tree")), existsSync(join(folder, "alone"))], [false, false]);
  assert.deepEqual(filesOf(victim), before);
});

async function repositoryPlace(t: TestContext) {
  const { root, git, folder, commit } = testRepository(t);
  const gitDir = join(root, ".git");
  const first = git("rev-parse", "HEAD");
  const second = commit({ "b.txt": "b\n" });
  return {
    folder,
    git,
    first,
    second,
    gitDir,
    place: { folder: root, gitDir, commonDir: gitDir, guards: testGuards() },
  };
}

test("a ref is moved where it was locked, whatever takes the place of its folders meanwhile", linux, async (t) => {
  const { place, folder, gitDir, git, first, second } = await repositoryPlace(t);
  const victim = victimIn(folder);
  const before = filesOf(victim);
  await movingRef(place, { ref: "refs/heads/main", from: second, to: first, why: "test" }, async () => {
    for (const name of ["refs", "logs"]) flip(join(gitDir, name), victim);
  });
  assert.deepEqual(filesOf(victim), before);
  assert.equal(readFileSync(join(gitDir, "refs.away", "heads", "main"), "utf8"), `${first}\n`);
  for (const name of ["refs", "logs"]) {
    rmSync(join(gitDir, name));
    renameSync(join(gitDir, `${name}.away`), join(gitDir, name));
  }
  assert.equal(git("rev-parse", "main"), first);
});

test("a ref moves only from the commit that it is known to have, and logs the move", async (t) => {
  const { place, git, first, second } = await repositoryPlace(t);
  const plan = { ref: "refs/heads/main", from: second, to: first, why: "a reason", checkouts: [place] };
  await moveRef(place, plan);
  assert.equal(git("reflog", "show", "-1", "--format=%gs", "main"), "a reason");
  assert.equal(git("reflog", "show", "-1", "--format=%gs", "HEAD"), "a reason");
  await fails(moveRef(place, plan), "conflict", /moved meanwhile/, /try again/);
  await fails(moveRef(place, { ...plan, from: undefined }), "conflict", /moved meanwhile/);
  const locked = movingRef(place, { ...plan, from: first }, async () => {
    assert.throws(() => git("update-ref", "refs/heads/main", second), /lock/);
    await fails(moveRef(place, { ...plan, from: first, to: second }), "unavailable", /another git command/);
    throw new PanewardError("conflict", "stop");
  });
  await fails(locked, "conflict", /stop/);
  git("update-ref", "refs/heads/main", second);
  assert.equal(git("rev-parse", "main"), second);
});

test("a symbolic branch moves the one that it names, and none is made beside a longer or shorter name", async (t) => {
  const { place, git, first, second } = await repositoryPlace(t);
  git("symbolic-ref", "refs/heads/alias", "refs/heads/main");
  await moveRef(place, { ref: "refs/heads/alias", from: second, to: first, why: "test" });
  assert.deepEqual([git("rev-parse", "main"), git("symbolic-ref", "refs/heads/alias")], [first, "refs/heads/main"]);
  git("branch", "ö/packed");
  git("pack-refs", "--all");
  const create = (branch: string) =>
    moveRef(place, { ref: `refs/heads/${branch}`, from: undefined, to: first, why: "test" });
  await fails(create("ö"), "conflict", /beside refs\/heads\/ö\/packed/, /git branch -m ö\/packed NAME/);
  await fails(create("ö/packed/more"), "conflict", /beside refs\/heads\/ö\/packed/);
  await create("ö/other");
  assert.equal(gitIn(place.folder, "rev-parse", "ö/other"), first);
});
