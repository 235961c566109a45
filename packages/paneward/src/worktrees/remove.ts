import { rmdir } from "node:fs/promises";
import { PanewardError } from "@paneward/sdk";
import type { TaskRecord } from "../model/records.ts";
import { branchCommit, checkoutOf, checkouts, pathExists, repairWorktree } from "./checkouts.ts";
import { git } from "./git.ts";

/** Removes the task's worktree and branch, and nothing else. What is already gone is not an error. */
export async function remove(task: TaskRecord): Promise<void> {
  if (!(await pathExists(task.root))) return;
  const checkout = await checkoutOf(task);
  await refuseSharedBranch(task, checkout?.folder);
  if (checkout) {
    await repairWorktree(task);
    await git(task.root, ["worktree", "remove", "--force", "--force", task.worktree]);
  } else {
    await refuseForeignFolder(task);
  }
  if ((await branchCommit(task.root, task.branch)) !== undefined) {
    await git(task.root, ["branch", "--quiet", "-D", "--", task.branch]);
  }
}

async function refuseSharedBranch(task: TaskRecord, own: string | undefined): Promise<void> {
  const other = (await checkouts(task.root)).find(({ branch, folder }) => branch === task.branch && folder !== own);
  if (!other) return;
  throw new PanewardError("wrong_state", `${task.branch} is checked out in ${other.folder}`, {
    hint: "check out another branch there, then try again",
  });
}

async function refuseForeignFolder(task: TaskRecord): Promise<void> {
  if (!(await pathExists(task.worktree))) return;
  try {
    await rmdir(task.worktree);
  } catch (cause) {
    throw new PanewardError("wrong_state", `${task.worktree} is not a worktree of ${task.root}`, {
      cause,
      hint: "it may hold work: check it, move it elsewhere, then try again",
    });
  }
}
