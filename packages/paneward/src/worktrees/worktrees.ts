import { keyedMutex } from "../model/keyed-mutex.ts";
import type { TaskRecord } from "../model/records.ts";
import type { Worktrees } from "../runtime/ports.ts";
import { bootstrap } from "./bootstrap.ts";
import { branchCommit, isLinked, openTask, rootOf, type TaskGit } from "./checkouts.ts";
import { create } from "./create.ts";
import { diff } from "./diff.ts";
import { pathExists } from "./discover.ts";
import type { Guards } from "./guard.ts";
import { merge } from "./merge.ts";
import { namedFiles } from "./named-files.ts";
import { requireRemovable } from "./removable.ts";
import { remove } from "./remove.ts";
import { repository } from "./repository.ts";
import { rescue } from "./rescue.ts";
import { restore } from "./restore.ts";
import { setupScript } from "./runs.ts";
import { work } from "./work.ts";

/** Branches and worktrees, by the installed git, which runs no program that a repository names. */
export function createWorktrees(guards: Guards): Worktrees {
  const inTurn = keyedMutex();
  const open = (task: TaskRecord) => openTask(guards, task);
  // By what is shared: a user's worktrees are several roots of one repository.
  const alone = <Result>(task: TaskRecord, use: (opened: TaskGit) => Promise<Result>) =>
    rootOf(guards, task).then(({ commonDir }) => inTurn(commonDir, async () => use(await open(task))));
  /** Nothing is left to save or to remove of a repository that is gone. */
  const ifThere = async <Result>(task: TaskRecord, use: (opened: TaskGit) => Promise<Result>) =>
    (await pathExists(task.root)) ? alone(task, use) : undefined;
  return {
    repository: (folder) => repository(guards, folder),
    branchCommit: async (at, branch) => branchCommit(await rootOf(guards, at), branch),
    exists: async (task) => {
      const worktree = (await pathExists(task.root)) ? (await open(task)).worktree : undefined;
      return worktree !== undefined && isLinked(worktree);
    },
    work: async (task) => work(await open(task)),
    diff: async (task, stat, maxLength) => diff(await open(task), stat, maxLength),
    bootstrap: async (task, options, onProgress) => bootstrap(await open(task), options, onProgress),
    setupScript,
    namedFiles,
    create: (task, onBegin) => alone(task, (opened) => create(opened, onBegin)),
    merge: (task, base) => alone(task, (opened) => merge(opened, base)),
    requireRemovable: (task) => ifThere(task, requireRemovable),
    rescue: (task, now) => ifThere(task, (opened) => rescue(opened, now)),
    remove: (task) => ifThere(task, remove),
    restore: (task, kept, onBegin) => alone(task, (opened) => restore(opened, kept, onBegin)),
  };
}
