import { branchCommit, isInList, repairWorktree, type TaskGit } from "./checkouts.ts";
import { headCommit } from "./heads.ts";
import { refuseForeignFolder, refuseSharedBranch } from "./remove.ts";
import { refuseUnsavable } from "./rescue.ts";

/**
 * Whether a task's work can be saved and its worktree removed, as far as can be seen while its agent still runs. Files are
 * listed and not read: an agent that works removes some at any moment.
 */
export async function requireRemovable(opened: TaskGit): Promise<void> {
  const { task, root, worktree } = opened;
  if (worktree) {
    await repairWorktree(worktree);
    await headCommit(worktree);
    await refuseUnsavable(worktree, task);
  }
  await branchCommit(root, task.branch);
  await refuseSharedBranch(opened);
  if (!(await isInList(opened))) await refuseForeignFolder(task);
}
