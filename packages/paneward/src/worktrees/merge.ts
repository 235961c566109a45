import { PanewardError } from "@paneward/sdk";
import type { TaskRecord } from "../model/records.ts";
import type { MergeResult } from "../runtime/ports.ts";
import { changes, readable, someOf } from "./changes.ts";
import { branchCommit, isAncestor, worktreeExists } from "./checkouts.ts";
import { isUnborn, missingBase } from "./create.ts";
import { fastForward } from "./fast-forward.ts";
import { gitLine, tryGit } from "./git.ts";
import { rebase } from "./rebase.ts";

/** Rebases the task on `base` and fast-forwards `base` to it. On failure everything stays as it was. */
export async function merge(task: TaskRecord, base: string): Promise<MergeResult> {
  const before = await readyToMerge(task, base);
  const onto = await branchCommit(task.root, base);
  if (onto === undefined && !(await isUnbornBase(task, base))) throw missingBase(task.root, base);
  await refuseIfMerged(task, base, before, onto);
  const head = onto === undefined ? before : await rebase(task, base, onto, before);
  try {
    const commits = await countCommits(task, head, onto);
    if (commits === 0) throw nothingToMerge(task, base);
    await fastForward(task.root, base, onto, head);
    return { base, commits, head };
  } catch (cause) {
    await undoRebase(task, before, head, cause);
    throw cause;
  }
}

/** Checks that the task can be merged; returns its head. */
async function readyToMerge(task: TaskRecord, base: string): Promise<string> {
  if (base === task.branch) {
    throw new PanewardError("bad_input", `${base} is the task's own branch`, { hint: "name another `--base BRANCH`" });
  }
  const head = await branchCommit(task.root, task.branch);
  if (head === undefined || !(await worktreeExists(task))) {
    throw new PanewardError("wrong_state", `task ${task.id} has no worktree to merge from`, {
      hint: `\`paneward start ${task.id}\` creates it`,
    });
  }
  const onBranch = await tryGit(task.worktree, ["symbolic-ref", "--quiet", "HEAD"]);
  if (onBranch.out.trim() !== `refs/heads/${task.branch}`) throw wrongBranch(task);
  const dirty = await changes(task.worktree);
  if (dirty.length > 0) throw uncommitted(task, someOf(dirty.map(({ path }) => readable(path))));
  return head;
}

/** An unborn base: checked out somewhere, or without a commit when the task started. */
async function isUnbornBase(task: TaskRecord, base: string): Promise<boolean> {
  if (await isUnborn(task.root, base)) return true;
  if (base !== task.base || task.baseCommit === undefined) return false;
  const { code, out } = await tryGit(task.root, ["log", "-1", "--format=%T%P", task.baseCommit]);
  return code === 0 && out.trim() === (await gitLine(task.root, ["mktree"]));
}

async function refuseIfMerged(task: TaskRecord, base: string, head: string, onto: string | undefined): Promise<void> {
  const nothing = onto === undefined ? head === task.baseCommit : await isAncestor(task.root, head, onto);
  if (nothing) throw nothingToMerge(task, base);
}

async function countCommits(task: TaskRecord, head: string, onto: string | undefined): Promise<number> {
  const not = onto ?? task.baseCommit;
  return Number(await gitLine(task.root, ["rev-list", "--count", head, ...(not === undefined ? [] : [`^${not}`])]));
}

/** `--keep` preserves changes made in the worktree meanwhile. */
async function undoRebase(task: TaskRecord, before: string, head: string, cause: unknown): Promise<void> {
  if (before === head) return;
  const { code, err } = await tryGit(task.worktree, ["reset", "--quiet", "--keep", before]);
  if (code === 0) return;
  const message = `the merge failed, and ${task.branch} could not be reset from ${head} to ${before}: ${err.trim()}`;
  throw new PanewardError("outcome_unknown", message, {
    cause,
    hint: `\`git reset --keep ${before}\` in ${task.worktree} restores it; no commit is lost`,
  });
}

function wrongBranch(task: TaskRecord): PanewardError {
  return new PanewardError("wrong_state", `the worktree of task ${task.id} does not have ${task.branch} checked out`, {
    hint: `finish what is in progress there (rebase, bisect), or \`git switch ${task.branch}\` in ${task.worktree}`,
  });
}

function uncommitted(task: TaskRecord, files: string): PanewardError {
  return new PanewardError("wrong_state", `task ${task.id} has uncommitted changes: ${files}`, {
    hint: `commit them in ${task.worktree}, then merge again`,
  });
}

function nothingToMerge(task: TaskRecord, base: string): PanewardError {
  return new PanewardError("wrong_state", `nothing to merge: ${base} has every commit of ${task.branch}`, {
    hint: `\`paneward diff ${task.id}\` shows what the task has changed`,
  });
}
