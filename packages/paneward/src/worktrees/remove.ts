import { rm, rmdir } from "node:fs/promises";
import { PanewardError } from "@paneward/sdk";
import type { TaskRecord } from "../model/records.ts";
import { forgetBranchSettings } from "./branch-settings.ts";
import { branchCommit, checkoutOf, checkouts, type TaskGit, tidyLists } from "./checkouts.ts";
import { pathExists } from "./discover.ts";
import { type GitPlace, git } from "./git.ts";
import { forgetGuard } from "./guard.ts";

/** Removes the task's worktree and branch, and nothing else. What is already gone is not an error. */
export async function remove({ task, root }: TaskGit): Promise<void> {
  const checkout = await checkoutOf({ task, root });
  await refuseSharedBranch(root, task, checkout?.folder);
  if (checkout) {
    // Without its files git asks nothing of a `.git` that an agent may have replaced.
    await rm(task.worktree, { recursive: true, force: true });
    await git(root, ["worktree", "remove", "--force", "--force", task.worktree]);
    await tidyLists(root);
    await forgetGuard(root.guards, checkout);
  } else {
    await refuseForeignFolder(task);
  }
  if ((await branchCommit(root, task.branch)) !== undefined) {
    await git(root, ["branch", "--quiet", "-D", "--", task.branch]);
    await forgetBranchSettings(root, task.branch);
  }
}

async function refuseSharedBranch(root: GitPlace, task: TaskRecord, own: string | undefined): Promise<void> {
  const other = (await checkouts(root)).find(({ branch, folder }) => branch === task.branch && folder !== own);
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
