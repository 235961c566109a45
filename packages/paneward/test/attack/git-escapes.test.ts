import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { type TestContext, test } from "node:test";
import type { GitDirsRecord, Rescue, TaskRecord } from "../../src/model/records.ts";
import { createWorktrees } from "../../src/worktrees/worktrees.ts";
import { fails } from "../worktrees/support/failure.ts";
import { testGuards } from "../worktrees/support/guards.ts";
import { type TestRepository, testRepository, writeFiles } from "../worktrees/support/repository.ts";
import { filesOf } from "../worktrees/support/snapshot.ts";
import { forgeCommit, forgeObject, forgeTree, forgeTreeWith } from "./support/git-forgery.ts";

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
  const restored = { ...at.started, gitDirs: await worktrees.restore(at.started, { ref: kept.ref, head: kept.head }) };
  // Ignored, so that the worktree has no newer work.
  writeFiles(gitDir, { "info/exclude": "a\n" });
  symlinkSync(victim, join(restored.worktree, "a"));
  forgeTreeWith(gitDir, "a/bashrc", "evil\n", at.git("rev-parse", `${kept.files}^{tree}`));
  const before = filesOf(victim);
  await fails(worktrees.restore(restored, kept), "wrong_state", /in the way/);
  assert.deepEqual(filesOf(victim), before);
});
