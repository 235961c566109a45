import { mkdir, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { PanewardError } from "@paneward/sdk";
import type { GitDirsRecord, TaskRecord } from "../model/records.ts";
import {
  branchCommit,
  checkouts,
  forgetEntries,
  isAncestor,
  openTask,
  repairWorktree,
  type TaskGit,
} from "./checkouts.ts";
import { pathExists } from "./discover.ts";
import { filterNote } from "./filtered-files.ts";
import { type GitPlace, git, gitLine, tryGit } from "./git.ts";
import { identity } from "./identity.ts";
import { withLockedIndex } from "./index-lock.ts";
import { addToList, endOfAdding } from "./list.ts";
import { deleteRef, moveRef } from "./move-refs.ts";
import { withTemporaryIndex } from "./own-index.ts";
import { refuseSharedBranch, removeWorktreeFolder } from "./remove.ts";
import { rescueEntry } from "./rescue.ts";

/** A worktree that was made or found, and the commit that its task starts from. */
export interface Created {
  readonly baseCommit: string;
  readonly gitDirs: GitDirsRecord;
  /** What a person should know of it. */
  readonly note?: string;
}

/** Creates the task's branch and worktree, or finds existing ones. */
export async function create(opened: TaskGit, onBegin?: () => void): Promise<Created> {
  const { task, root, worktree } = opened;
  if (worktree) await repairWorktree(worktree);
  const existing = await branchCommit(root, task.branch);
  if (existing !== undefined && worktree) {
    if (!task.hasWorktree && !(await hasIndex(worktree))) await fill(worktree, existing);
    return { baseCommit: await forkPoint(root, task, existing), gitDirs: recordOf(root, worktree) };
  }
  const baseCommit = existing === undefined ? await startingPoint(root, task) : await forkPoint(root, task, existing);
  if (existing !== undefined) refuseForeignBranch(task, existing, baseCommit);
  const gitDirs = recordOf(root, await addWorktree(opened, existing ?? baseCommit, onBegin));
  const note = await filterNote(root);
  return { baseCommit, gitDirs, ...(note === undefined ? {} : { note }) };
}

export function recordOf(root: GitPlace, worktree: GitPlace): GitDirsRecord {
  return { root: root.gitDir, common: root.commonDir, worktree: worktree.gitDir };
}

/** Checks out the task's branch in its worktree, creating the branch at `commit` if missing. Leaves nothing on failure. */
export async function addWorktree(opened: TaskGit, commit: string, onBegin?: () => void): Promise<GitPlace> {
  const { task, root } = opened;
  await forgetLostWorktree(opened);
  await refuseSharedBranch(opened);
  onBegin?.();
  await makeFolder(task.worktree);
  const ref = `refs/heads/${task.branch}`;
  const isNew = (await branchCommit(root, task.branch)) === undefined;
  try {
    if (isNew) await moveRef(root, { ref, from: undefined, to: commit, why: `branch: Created from ${commit}` });
    const worktree = await addToList(root, task);
    await fill(worktree, commit);
    return worktree;
  } catch (cause) {
    await removeWorktreeFolder(task);
    await forgetEntries(opened);
    if (isNew) await deleteRef(root, ref);
    throw cause;
  }
}

async function makeFolder(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await rmdir(path).catch(() => {});
  await mkdir(path).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== "EEXIST") throw cause;
    throw new PanewardError("wrong_state", `${path} already exists and is not empty`, {
      cause,
      hint: "something is in the way: check it and move it elsewhere",
    });
  });
}

/**
 * With an index that begins empty: an agent may have put one into git's list meanwhile. A worktree has its first index only
 * when it has all its files, so one without was never finished; `--reset` replaces those that are there by half. An agent
 * that removes the index of a worktree that it was given changes nothing by that.
 */
export async function fill(worktree: GitPlace, commit: string): Promise<void> {
  await withTemporaryIndex(worktree.guards, (env) =>
    withLockedIndex(worktree, async ({ ifKilled, put }) => {
      await ifKilled({ kind: "index", index: env.GIT_INDEX_FILE });
      await git(worktree, ["read-tree", "--reset", "-u", commit], { env });
      await put(env.GIT_INDEX_FILE);
    }),
  );
  await endOfAdding(worktree);
}

function hasIndex({ gitDir }: GitPlace): Promise<boolean> {
  return pathExists(join(gitDir, "index"));
}

/** `worktree prune` would also drop the user's worktrees on disks that are not mounted. */
async function forgetLostWorktree(opened: TaskGit): Promise<void> {
  const { task, root } = opened;
  const { gitDirs: _recorded, ...unrecorded } = task;
  const { worktree } = await openTask(root.guards, {
    ...unrecorded,
    gitDirs: { root: root.gitDir, common: root.commonDir },
  });
  if (worktree) return;
  await rescueEntry(opened);
  await forgetEntries(opened);
}

/** A branch of this name from elsewhere, as after losing the database, must not become part of this task. */
function refuseForeignBranch(task: TaskRecord, head: string, forkedAt: string): void {
  if (task.baseCommit !== undefined || head === forkedAt) return;
  throw new PanewardError("conflict", `the branch ${task.branch} already exists and has its own commits`, {
    hint: `rename it with \`git branch -m ${task.branch} NAME\`, then try again`,
  });
}

/** Where an existing branch left its base. */
async function forkPoint(root: GitPlace, task: TaskRecord, head: string): Promise<string> {
  if (task.baseCommit !== undefined) return task.baseCommit;
  const base = task.base === undefined ? "HEAD" : `refs/heads/${task.base}`;
  const { code, out } = await tryGit(root, ["merge-base", base, head]);
  if (code === 0) return out.trim();
  return (await git(root, ["rev-list", "--max-parents=0", head])).split("\n")[0] ?? head;
}

async function startingPoint(root: GitPlace, task: TaskRecord): Promise<string> {
  const fromBase = task.base === undefined ? undefined : await branchCommit(root, task.base);
  if (fromBase !== undefined) return fromBase;
  if (task.baseCommit !== undefined && (await isAncestor(root, task.baseCommit, task.baseCommit))) {
    return task.baseCommit;
  }
  if (task.base !== undefined && !(await isUnborn(root, task.base))) throw missingBase(task.root, task.base);
  const head = await tryGit(root, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
  return head.code === 0 && task.base === undefined ? head.out.trim() : emptyCommit(root);
}

/** Whether a branch is checked out somewhere but has no commit. */
export async function isUnborn(root: GitPlace, branch: string): Promise<boolean> {
  if ((await branchCommit(root, branch)) !== undefined) return false;
  return (await checkouts(root)).some((checkout) => checkout.branch === branch);
}

export function missingBase(root: string, base: string): PanewardError {
  return new PanewardError("wrong_state", `there is no branch ${base} in ${root}`, {
    hint: "name a branch that exists with `--base BRANCH`; `git branch` lists them",
  });
}

/** Only the task's branch points to it; the user's branch stays unborn. */
async function emptyCommit(root: GitPlace): Promise<string> {
  const tree = await gitLine(root, ["mktree"]);
  const env = await identity(root);
  return gitLine(root, ["commit-tree", tree, "-m", "Begin with an empty commit"], { env });
}
