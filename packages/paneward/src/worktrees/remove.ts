import { rmdir } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { PanewardError } from "@paneward/sdk";
import type { TaskRecord } from "../model/records.ts";
import { forgetBranchSettings } from "./branch-settings.ts";
import { branchCommit, forgetEntries, isInList, othersWithBranch, type TaskGit } from "./checkouts.ts";
import { pathExists } from "./discover.ts";
import { withFolder } from "./held-folders.ts";
import { deleteRef } from "./move-refs.ts";
import { rawPath } from "./raw-paths.ts";
import { removeTree } from "./remove-tree.ts";

/** Removes the task's worktree and branch, and nothing else. What is already gone is not an error. */
export async function remove({ task, root }: TaskGit): Promise<void> {
  await refuseSharedBranch({ task, root });
  if (await isInList({ task, root })) {
    await removeWorktreeFolder(task);
  } else {
    await refuseForeignFolder(task);
  }
  await forgetEntries({ task, root });
  if ((await branchCommit(root, task.branch)) !== undefined) {
    await deleteRef(root, `refs/heads/${task.branch}`);
    await forgetBranchSettings(root, task.branch);
  }
}

/** The folder above is Paneward's own; what is inside may change while it is removed. */
export async function removeWorktreeFolder({ worktree }: Pick<TaskRecord, "worktree">): Promise<void> {
  await withFolder(dirname(worktree), "", (above) => removeTree(above, rawPath(basename(worktree))));
}

export async function refuseSharedBranch(opened: Pick<TaskGit, "root" | "task">): Promise<void> {
  const [other] = await othersWithBranch(opened);
  if (!other) return;
  throw new PanewardError("wrong_state", `${opened.task.branch} is checked out in ${other.folder}`, {
    hint: "check out another branch there, then try again",
  });
}

/** An empty folder in the worktree's place is removed. */
export async function refuseForeignFolder(task: TaskRecord): Promise<void> {
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
