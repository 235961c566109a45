import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { PanewardError } from "@paneward/sdk";
import type { TaskRecord } from "../model/records.ts";
import { branchCommit, checkoutOf, checkouts, isAncestor, repairWorktree, worktreeExists } from "./checkouts.ts";
import { git, gitLine, tryGit } from "./git.ts";
import { identity } from "./identity.ts";
import { checkOutSubmodules } from "./submodules.ts";

/** Creates the task's branch and worktree, or finds existing ones; returns the commit the task starts from. */
export async function create(task: TaskRecord): Promise<{ readonly baseCommit: string }> {
  await repairWorktree(task);
  const existing = await branchCommit(task.root, task.branch);
  if (existing !== undefined && (await worktreeExists(task))) return { baseCommit: await forkPoint(task, existing) };
  if (existing !== undefined) {
    const baseCommit = await forkPoint(task, existing);
    refuseForeignBranch(task, existing, baseCommit);
    await addWorktree(task, existing);
    return { baseCommit };
  }
  const baseCommit = await startingPoint(task);
  await addWorktree(task, baseCommit);
  return { baseCommit };
}

/** Checks out the task's branch in its worktree, creating the branch at `commit` if missing. Leaves nothing on failure. */
export async function addWorktree(task: TaskRecord, commit: string): Promise<void> {
  await forgetLostWorktree(task);
  await mkdir(dirname(task.worktree), { recursive: true, mode: 0o700 });
  const isNew = (await branchCommit(task.root, task.branch)) === undefined;
  const what = isNew ? ["--no-track", "-b", task.branch, task.worktree, commit] : [task.worktree, task.branch];
  try {
    await git(task.root, ["worktree", "add", "--quiet", ...what]);
    await checkOutSubmodules(task);
  } catch (cause) {
    if (await checkoutOf(task)) await tryGit(task.root, ["worktree", "remove", "--force", "--force", task.worktree]);
    if (isNew) await tryGit(task.root, ["branch", "-D", "--", task.branch]);
    throw cause;
  }
}

/** `worktree prune` would also drop the user's worktrees on disks that are not mounted. */
async function forgetLostWorktree(task: TaskRecord): Promise<void> {
  if (!(await checkoutOf(task)) || (await worktreeExists(task))) return;
  await git(task.root, ["worktree", "remove", "--force", "--force", task.worktree]);
}

/** A branch of this name from elsewhere, as after losing the database, must not become part of this task. */
function refuseForeignBranch(task: TaskRecord, head: string, forkedAt: string): void {
  if (task.baseCommit !== undefined || head === forkedAt) return;
  throw new PanewardError("conflict", `the branch ${task.branch} already exists and has its own commits`, {
    hint: `rename it with \`git branch -m ${task.branch} NAME\`, then try again`,
  });
}

/** Where an existing branch left its base. */
async function forkPoint(task: TaskRecord, head: string): Promise<string> {
  if (task.baseCommit !== undefined) return task.baseCommit;
  const base = task.base === undefined ? "HEAD" : `refs/heads/${task.base}`;
  const { code, out } = await tryGit(task.root, ["merge-base", base, head]);
  if (code === 0) return out.trim();
  return (await git(task.root, ["rev-list", "--max-parents=0", head])).split("\n")[0] ?? head;
}

async function startingPoint(task: TaskRecord): Promise<string> {
  const fromBase = task.base === undefined ? undefined : await branchCommit(task.root, task.base);
  if (fromBase !== undefined) return fromBase;
  if (task.baseCommit !== undefined && (await isAncestor(task.root, task.baseCommit, task.baseCommit))) {
    return task.baseCommit;
  }
  if (task.base !== undefined && !(await isUnborn(task.root, task.base))) throw missingBase(task.root, task.base);
  const head = await tryGit(task.root, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
  return head.code === 0 && task.base === undefined ? head.out.trim() : emptyCommit(task);
}

/** Whether a branch is checked out somewhere but has no commit. */
export async function isUnborn(root: string, branch: string): Promise<boolean> {
  if ((await branchCommit(root, branch)) !== undefined) return false;
  return (await checkouts(root)).some((checkout) => checkout.branch === branch);
}

export function missingBase(root: string, base: string): PanewardError {
  return new PanewardError("wrong_state", `there is no branch ${base} in ${root}`, {
    hint: "name a branch that exists with `--base BRANCH`; `git branch` lists them",
  });
}

/** Only the task's branch points to it; the user's branch stays unborn. */
async function emptyCommit(task: TaskRecord): Promise<string> {
  const tree = await gitLine(task.root, ["mktree"]);
  const env = await identity(task.root);
  return gitLine(task.root, ["commit-tree", tree, "-m", "Begin with an empty commit"], { env });
}
