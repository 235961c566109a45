import { keyedMutex } from "../model/keyed-mutex.ts";
import type { Worktrees } from "../runtime/ports.ts";
import { bootstrap } from "./bootstrap.ts";
import { branchCommit, worktreeExists } from "./checkouts.ts";
import { create } from "./create.ts";
import { diff } from "./diff.ts";
import { merge } from "./merge.ts";
import { remove } from "./remove.ts";
import { repository } from "./repository.ts";
import { rescue } from "./rescue.ts";
import { restore } from "./restore.ts";
import { work } from "./work.ts";

/** Branches and worktrees, by the installed git. */
export function createWorktrees(): Worktrees {
  const inTurn = keyedMutex();
  return {
    repository,
    branchCommit,
    exists: worktreeExists,
    work,
    diff,
    bootstrap,
    create: (task) => inTurn(task.root, () => create(task)),
    merge: (task, base) => inTurn(task.root, () => merge(task, base)),
    rescue: (task, now) => inTurn(task.root, () => rescue(task, now)),
    remove: (task) => inTurn(task.root, () => remove(task)),
    restore: (task, kept) => inTurn(task.root, () => restore(task, kept)),
  };
}
