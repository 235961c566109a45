import { lstat, readlink } from "node:fs/promises";
import { join } from "node:path";
import { PanewardError } from "@paneward/sdk";
import type { Rescue, TaskRecord } from "../model/records.ts";
import { allChanges, type Change, readable, someOf } from "./changes.ts";
import { branchCommit, isAncestor, lostPlace, repairWorktree, rescueFolder, type TaskGit } from "./checkouts.ts";
import { pathExists } from "./discover.ts";
import { type GitPlace, git, gitLine } from "./git.ts";
import { headCommit, lastInLog, ownCommits, stagedTree } from "./heads.ts";
import { identity } from "./identity.ts";
import { isBeingAdded } from "./list.ts";
import { moveRef } from "./move-refs.ts";
import { withTemporaryIndex } from "./own-index.ts";
import { readingAt, withPrivateCopies } from "./private-copies.ts";
import { refuseUnpushedSubmodules } from "./submodules.ts";

/** Saves what would be lost with the task's worktree and branch; undefined if nothing would be. */
export async function rescue(opened: TaskGit, now: number): Promise<Rescue | undefined> {
  const { task, root, worktree } = opened;
  if (worktree) await repairWorktree(worktree);
  const place = worktree ?? (await lostPlace(root, task));
  const branch = await branchCommit(root, task.branch);
  const inWorktree = place && (await headCommit(place));
  const head = branch ?? inWorktree ?? (place && ((await lastInLog(place)) ?? task.baseCommit));
  if (head === undefined) return undefined;
  const files = await keepFiles(opened, place, inWorktree, head);
  if (files === undefined && (await isKeptByBase(root, task, head))) return undefined;
  return { ref: await keep(root, task, now, head, files), head, ...(files === undefined ? {} : { files }) };
}

/** Saves what only git's entry of a worktree names whose folder is gone, before that entry is replaced. */
export async function rescueEntry(opened: TaskGit): Promise<void> {
  const { task, root } = opened;
  const place = await lostPlace(root, task);
  const inWorktree = place && (await headCommit(place));
  const head = (await branchCommit(root, task.branch)) ?? inWorktree;
  if (!place || head === undefined) return;
  const files = await keepFiles({ ...opened, worktree: undefined }, place, inWorktree, head);
  if (files !== undefined) await keep(root, task, task.laidAt ?? task.createdAt, head, files);
}

async function isKeptByBase(root: GitPlace, task: TaskRecord, head: string): Promise<boolean> {
  if (head === task.baseCommit) return true;
  const base = task.base === undefined ? undefined : await branchCommit(root, task.base);
  return base !== undefined && (await isAncestor(root, head, base));
}

async function keep(
  root: GitPlace,
  task: TaskRecord,
  now: number,
  head: string,
  files: string | undefined,
): Promise<string> {
  const ref = await freeRef(root, task, now);
  const why = "paneward: rescue";
  if (files !== undefined) await moveRef(root, { ref: `${ref}/files`, from: undefined, to: files, why });
  await moveRef(root, { ref: `${ref}/head`, from: undefined, to: head, why });
  return ref;
}

async function freeRef(root: GitPlace, task: TaskRecord, now: number): Promise<string> {
  const folder = rescueFolder(task);
  const taken = (await git(root, ["for-each-ref", "--format=%(refname)", folder])).split("\n");
  let time = now;
  while (taken.includes(`${folder}/${time}/head`)) time++;
  return `${folder}/${time}`;
}

/** Commits all files as they are. What only the worktree keeps reachable, such as a HEAD that left the branch, are parents. */
async function keepFiles(
  { task, root, worktree }: TaskGit,
  place: GitPlace | undefined,
  inWorktree: string | undefined,
  head: string,
): Promise<string | undefined> {
  // A worktree with only some of its files holds no work.
  if (!place || (worktree && (await isBeingAdded(worktree)))) return undefined;
  const changed = worktree ? await refuseUnsavable(worktree, task) : [];
  const first = inWorktree ?? head;
  const own = (await ownCommits(place)).filter((id) => id !== first);
  const staged =
    changed.some(({ isStagedOnly }) => isStagedOnly) || !worktree ? await staging(place, first) : undefined;
  const isSame = changed.length === 0 && inWorktree === head;
  if (isSame && own.length === 0 && staged === undefined) return undefined;
  const files = worktree ? await treeWith(worktree, changed, inWorktree) : (staged ?? `${first}^{tree}`);
  const env = await identity(root);
  const commit = (tree: string, parents: readonly string[], what: string) => {
    const message = `${what} of task ${task.id} (${task.slug}) that were not committed`;
    return gitLine(root, ["commit-tree", tree, ...parents.flatMap((id) => ["-p", id]), "-m", message], { env });
  };
  const stagedCommit = worktree && staged !== undefined ? [await commit(staged, [first], "Staged files")] : [];
  return commit(files, [first, ...stagedCommit, ...own], "Files");
}

/** The tree of what is staged, if it is not that of a commit. */
async function staging(place: GitPlace, commit: string): Promise<string | undefined> {
  if (!(await pathExists(join(place.gitDir, "index")))) return undefined;
  const tree = await stagedTree(place);
  return tree === (await gitLine(place, ["rev-parse", `${commit}^{tree}`])) ? undefined : tree;
}

/** All that is not committed; throws if some of it cannot be saved. */
export async function refuseUnsavable(worktree: GitPlace, task: TaskRecord): Promise<readonly Change[]> {
  await refuseUnpushedSubmodules(worktree, task);
  const changed = await allChanges(worktree);
  refuseRepositories(task, changed);
  return changed;
}

async function treeWith(worktree: GitPlace, changed: readonly Change[], head: string | undefined): Promise<string> {
  const kept = await Promise.all(changed.map((change) => modeOf(worktree.folder, change)));
  const ids = await writeBlobs(worktree, kept);
  const nothing = "0".repeat((await gitLine(worktree, ["mktree"])).length);
  const input = kept.map(({ path, mode }) => `${mode} ${ids.get(path) ?? nothing}\t${path}\0`);
  const anyName = ["-c", "core.protectNTFS=false", "-c", "core.protectHFS=false"];
  return withTemporaryIndex(worktree.guards, async (env) => {
    if (head !== undefined) await git(worktree, ["read-tree", head], { env });
    await git(worktree, [...anyName, "update-index", "-z", "--index-info"], {
      env,
      input: input.join(""),
      encoding: "latin1",
    });
    return gitLine(worktree, ["write-tree"], { env });
  });
}

interface Kept {
  readonly path: string;
  readonly mode: "100644" | "100755" | "120000" | "0";
}

const modes = { file: "100644", executable: "100755", link: "120000", nothing: "0" } as const;

async function modeOf(worktree: string, { path, now }: Change): Promise<Kept> {
  if (now === "repository") {
    throw new PanewardError("unexpected", `${readable(path)} is a nested git repository and cannot be saved`);
  }
  if (now !== "unknown") return { path, mode: modes[now] };
  const stats = await readingAt(worktree, path, (at) => lstat(at));
  if (stats.isSymbolicLink()) return { path, mode: modes.link };
  return { path, mode: stats.mode & 0o100 ? modes.executable : modes.file };
}

// `git add` would apply line-ending and other filters; this stores the exact bytes.
async function writeBlobs(worktree: GitPlace, kept: readonly Kept[]): Promise<ReadonlyMap<string, string>> {
  const files = kept.filter(({ mode }) => mode === modes.file || mode === modes.executable);
  const blobs = new Map<string, string>();
  for (let first = 0; first < files.length; first += filesAtOnce) {
    const paths = files.slice(first, first + filesAtOnce).map(({ path }) => path);
    const written = await withPrivateCopies(worktree, paths, (copies) =>
      git(worktree, ["hash-object", "-w", "--no-filters", "--stdin-paths"], { input: `${copies.join("\n")}\n` }),
    );
    for (const [index, id] of written.trimEnd().split("\n").entries()) blobs.set(paths[index] ?? "", id);
  }
  for (const { path } of kept.filter(({ mode }) => mode === modes.link)) {
    const bytes = await readingAt(worktree.folder, path, (at) => readlink(at, "buffer"));
    const target = bytes.toString("latin1");
    blobs.set(path, await gitLine(worktree, ["hash-object", "-w", "--stdin"], { input: target, encoding: "latin1" }));
  }
  return blobs;
}

/** Limits how much is on the disk twice. */
const filesAtOnce = 100;

function refuseRepositories(task: TaskRecord, changed: readonly Change[]): void {
  const found = changed.filter(({ now }) => now === "repository").map(({ path }) => readable(path));
  if (found.length === 0) return;
  throw new PanewardError("wrong_state", `the worktree contains repositories with their own work: ${someOf(found)}`, {
    hint: `commit and push a submodule's work, or move the folder out of ${task.worktree}, then try again`,
  });
}
