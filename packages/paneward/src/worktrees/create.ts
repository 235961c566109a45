import { mkdir, realpath, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { PanewardError } from "@paneward/sdk";
import type { GitDirsRecord, TaskRecord } from "../model/records.ts";
import {
  branchCommit,
  checkouts,
  forgetEntries,
  isAncestor,
  isEntryOf,
  isInList,
  openTask,
  repairWorktree,
  type TaskGit,
} from "./checkouts.ts";
import { isFolder, oneLine } from "./discover.ts";
import { filterNote } from "./filtered-files.ts";
import { type GitPlace, git, gitLine, tryGit } from "./git.ts";
import { identity } from "./identity.ts";
import { withLockedIndex } from "./index-lock.ts";
import { withTemporaryIndex } from "./own-index.ts";

/** A worktree that was made or found, and the commit that its task starts from. */
export interface Created {
  readonly baseCommit: string;
  readonly gitDirs: GitDirsRecord;
  /** What a person should know of it. */
  readonly note?: string;
}

/** Creates the task's branch and worktree, or finds existing ones. */
export async function create(opened: TaskGit): Promise<Created> {
  const { task, root, worktree } = opened;
  if (worktree) await repairWorktree(worktree);
  const existing = await branchCommit(root, task.branch);
  if (existing !== undefined && worktree) {
    return { baseCommit: await forkPoint(root, task, existing), gitDirs: recordOf(root, worktree) };
  }
  const baseCommit = existing === undefined ? await startingPoint(root, task) : await forkPoint(root, task, existing);
  if (existing !== undefined) refuseForeignBranch(task, existing, baseCommit);
  const gitDirs = recordOf(root, await addWorktree(opened, existing ?? baseCommit));
  const note = await filterNote(root);
  return { baseCommit, gitDirs, ...(note === undefined ? {} : { note }) };
}

export function recordOf(root: GitPlace, worktree: GitPlace): GitDirsRecord {
  return { root: root.gitDir, common: root.commonDir, worktree: worktree.gitDir };
}

/** Checks out the task's branch in its worktree, creating the branch at `commit` if missing. Leaves nothing on failure. */
export async function addWorktree(opened: TaskGit, commit: string): Promise<GitPlace> {
  const { task, root } = opened;
  await forgetLostWorktree(opened);
  await mkdir(dirname(task.worktree), { recursive: true, mode: 0o700 });
  await makeList(root);
  const isNew = (await branchCommit(root, task.branch)) === undefined;
  const what = isNew ? ["--no-track", "-b", task.branch, task.worktree, commit] : [task.worktree, task.branch];
  try {
    await git(root, ["worktree", "add", "--quiet", "--no-checkout", ...what]);
    const worktree = await newWorktree(opened);
    await fill(worktree, commit);
    return worktree;
  } catch (cause) {
    if (await isInList(opened)) await rm(task.worktree, { recursive: true, force: true });
    await forgetEntries(opened);
    if (isNew) await tryGit(root, ["branch", "-D", "--", task.branch]);
    throw cause;
  }
}

/** git's list of worktrees has to be a link in the guard, and a folder where that leads. */
async function makeList({ commonDir }: GitPlace): Promise<void> {
  const list = join(commonDir, "worktrees");
  await mkdir(list, { recursive: true });
  if (await isFolder(list)) return;
  throw new PanewardError("wrong_state", `${list} is not a folder`, { hint: "look at it, and replace or remove it" });
}

/**
 * The worktree that git has just made. Its new `.git` says which folder of git's list is its own, where an agent may have
 * put others that look alike. git writes the path of the guard into it; the user's git needs the real one.
 */
async function newWorktree({ root, task }: TaskGit): Promise<GitPlace> {
  const { guards, commonDir } = root;
  const [, named = ""] = /^gitdir: (.+)$/.exec((await oneLine(join(task.worktree, ".git"))) ?? "") ?? [];
  const gitDir = join(commonDir, "worktrees", basename(named));
  const isInList = (await realpath(dirname(named))) === (await realpath(dirname(gitDir)));
  if (!isInList || !(await isEntryOf(gitDir, task.worktree))) {
    throw new PanewardError("wrong_state", `${gitDir} was changed while git made the worktree of task ${task.id}`, {
      hint: "another program works in the repository's `.git`; try again",
    });
  }
  const worktree = { guards, folder: task.worktree, gitDir, commonDir };
  await repairWorktree(worktree);
  return worktree;
}

/** With an index that begins empty: an agent may have put one into git's list meanwhile. */
function fill(worktree: GitPlace, commit: string): Promise<void> {
  return withLockedIndex(worktree, (put) =>
    withTemporaryIndex(worktree.guards, async (env) => {
      await git(worktree, ["read-tree", "-m", "-u", commit], { env });
      await put(env.GIT_INDEX_FILE);
    }),
  );
}

/** `worktree prune` would also drop the user's worktrees on disks that are not mounted. */
async function forgetLostWorktree(opened: TaskGit): Promise<void> {
  const { task, root } = opened;
  const { gitDirs: _recorded, ...unrecorded } = task;
  const { worktree } = await openTask(root.guards, {
    ...unrecorded,
    gitDirs: { root: root.gitDir, common: root.commonDir },
  });
  if (!worktree) await forgetEntries(opened);
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
