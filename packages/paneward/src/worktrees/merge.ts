import { PanewardError } from "@paneward/sdk";
import type { TaskRecord } from "../model/records.ts";
import type { MergeResult } from "../runtime/ports.ts";
import { changes, readable, someOf } from "./changes.ts";
import { branchCommit, isAncestor, type TaskGit } from "./checkouts.ts";
import { isUnborn, missingBase } from "./create.ts";
import { fastForward } from "./fast-forward.ts";
import { countIn, type GitPlace, git, gitLine, tryGit } from "./git.ts";
import { moveFiles, moveFilesBack } from "./move-files.ts";
import { movingRef } from "./move-refs.ts";
import { notPutBack } from "./not-put-back.ts";
import { refuseEndlessFiles } from "./plain-files.ts";
import { rebase } from "./rebase.ts";
import { refuseLinkedRefs } from "./written-places.ts";

/** Rebases the task on `base` and fast-forwards `base` to it. On failure everything stays as it was. */
export async function merge(opened: TaskGit, base: string): Promise<MergeResult> {
  const { task, root } = opened;
  await refuseEndlessFiles(root, [`refs/heads/${base}`]);
  await refuseLinkedRefs(root, [`refs/heads/${base}`]);
  const { before, worktree } = await readyToMerge(opened, base);
  const onto = await branchCommit(root, base);
  if (onto === undefined && !(await isUnbornBase(root, task, base))) throw missingBase(task.root, base);
  await refuseIfMerged(root, task, base, before, onto);
  const head = onto === undefined ? before : await rebase({ task, root }, base, onto, before);
  const commits = await countCommits(root, task, head, onto);
  if (commits === 0) throw nothingToMerge(task, base);
  const moveBase = () => fastForward(root, base, onto, head);
  await (before === head ? moveBase() : moveBoth({ task, root, worktree }, before, head, moveBase));
  return { base, commits, head };
}

/** Moves the task's branch and files to its new commits, and the base to them; or neither. */
async function moveBoth(
  { task, root, worktree }: { readonly task: TaskRecord; readonly root: GitPlace; readonly worktree: GitPlace },
  before: string,
  head: string,
  moveBase: () => Promise<void>,
): Promise<void> {
  const plan = {
    ref: `refs/heads/${task.branch}`,
    from: before,
    to: head,
    why: "paneward: rebase",
    checkouts: [worktree],
  };
  await movingRef(root, plan, async () => {
    await moveFiles(worktree, before, head);
    try {
      await moveBase();
    } catch (cause) {
      await moveFilesBack(worktree, before, head).catch((error: Error) => {
        throw notPutBack(task.worktree, error, cause);
      });
      throw cause;
    }
  });
}

/** Checks that the task can be merged; returns its head and its worktree. */
async function readyToMerge(
  { task, root, worktree }: TaskGit,
  base: string,
): Promise<{ readonly before: string; readonly worktree: GitPlace }> {
  if (base === task.branch) {
    throw new PanewardError("bad_input", `${base} is the task's own branch`, { hint: "name another `--base BRANCH`" });
  }
  const before = await branchCommit(root, task.branch);
  if (before === undefined || !worktree) {
    throw new PanewardError("wrong_state", `task ${task.id} has no worktree to merge from`, {
      hint: `\`paneward start ${task.id}\` creates it`,
    });
  }
  const onBranch = await tryGit(worktree, ["symbolic-ref", "--quiet", "HEAD"]);
  if (onBranch.out.trim() !== `refs/heads/${task.branch}`) throw wrongBranch(task);
  const dirty = await changes(worktree);
  if (dirty.length > 0) throw uncommitted(task, someOf(dirty.map(({ path }) => readable(path))));
  return { before, worktree };
}

/** An unborn base: checked out somewhere, or without a commit when the task started. */
async function isUnbornBase(root: GitPlace, task: TaskRecord, base: string): Promise<boolean> {
  if (await isUnborn(root, base)) return true;
  if (base !== task.base || task.baseCommit === undefined) return false;
  const { code, out } = await tryGit(root, ["log", "-1", "--format=%T%P", task.baseCommit]);
  return code === 0 && out.trim() === (await gitLine(root, ["mktree"]));
}

async function refuseIfMerged(
  root: GitPlace,
  task: TaskRecord,
  base: string,
  head: string,
  onto: string | undefined,
): Promise<void> {
  const nothing = onto === undefined ? head === task.baseCommit : await isAncestor(root, head, onto);
  if (nothing) throw nothingToMerge(task, base);
}

async function countCommits(root: GitPlace, task: TaskRecord, head: string, onto: string | undefined): Promise<number> {
  const not = onto ?? task.baseCommit;
  const args = ["rev-list", "--count", head, ...(not === undefined ? [] : [`^${not}`])];
  return countIn(root, args, await git(root, args));
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
