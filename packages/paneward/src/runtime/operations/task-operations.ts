import { PanewardError } from "@paneward/sdk";
import type { TaskRecord } from "../../model/records.ts";
import type { Handlers } from "../calls.ts";
import { resolveTask, taskOf } from "../resolve.ts";
import { editDraft } from "../tasks/edit-draft.ts";
import type { TaskDeps } from "../tasks/resume.ts";
import { bootstrapTask, createTask, environmentOf, startTask } from "../tasks/tasks.ts";
import { endedByUndo, resetTask, undoable, undoLast } from "../tasks/undo.ts";
import type { WorkAmounts } from "../tasks/work-amounts.ts";
import { type LockDeps, locked } from "./locked.ts";
import { taskView, type ViewDeps } from "./views.ts";

const maxDiff = 4_000_000;

export interface TaskOperationDeps extends TaskDeps, ViewDeps, LockDeps {
  readonly amounts: WorkAmounts;
}

/** What can be done with a task. */
export function taskOperations(deps: TaskOperationDeps) {
  const { amounts, lock } = deps;
  const view = (record: TaskRecord) => taskView(deps, record, amounts.known(record.id));
  const withTask = <Result>(id: string, work: (task: TaskRecord) => Promise<Result>) =>
    locked(deps, id, (found) => work(taskOf(deps, found)));
  return {
    new: async (input) => {
      const created = await createTask(deps, input);
      if (input.draft) return view(created);
      return withTask(String(created.id), async (task) => view(await startTask(deps, task, input.variables)));
    },
    edit: ({ id, ...edits }) => withTask(id, async (task) => view(await editDraft(deps, task, edits))),
    start: ({ id, variables }) => withTask(id, async (task) => view(await startTask(deps, task, variables))),
    complete: ({ id }, { who }) =>
      withTask(id, async (task) => view(task.completedAt === undefined ? deps.supervisor.complete(task, who) : task)),
    reset: ({ id, variables }, { who }) =>
      withTask(id, async (task) => {
        const reset = await resetTask(deps, task, who, variables);
        amounts.forget(task.id);
        return { task: view(reset.task), ...(reset.rescue === undefined ? {} : { rescue: reset.rescue }) };
      }),
    merge: ({ id, base }) =>
      withTask(id, async (task) => {
        const into = base ?? requireBase(task);
        const merged = await deps.worktrees.merge(requireWorktree(task), into);
        const { commits } = merged;
        amounts.forget(task.id);
        deps.store.keep((writer) =>
          writer.append("task_merged", { task: task.id, slug: task.slug, base: into, commits }),
        );
        return merged;
      }),
    diff: async ({ id, stat }) => {
      const task = requireWorktree(resolveTask(deps, id));
      // One more than is shown says that there is more.
      const text = await deps.worktrees.diff(task, stat ?? false, maxDiff + 1);
      const truncated = text.length > maxDiff;
      return { base: task.base ?? task.baseCommit ?? "", diff: text.slice(0, maxDiff), truncated };
    },
    path: async ({ id }) => {
      const task = resolveTask(deps, id);
      return { path: task.worktree, exists: await deps.worktrees.exists(task), env: { ...environmentOf(deps, task) } };
    },
    branch: async ({ id }) => {
      const { branch, base } = resolveTask(deps, id);
      return { branch, ...(base === undefined ? {} : { base }) };
    },
    bootstrap: ({ id, variables }) =>
      withTask(id, async (task) => {
        const { copied, ran, output } = await bootstrapTask(deps, requireWorktree(task), variables);
        return { copied: [...copied], output, ...(ran === undefined ? {} : { ran }) };
      }),
    undo_look: async ({ id }) => {
      const undo = undoable(deps, id);
      const { kind, task, at } = undo;
      return { undone: kind, task: task.id, slug: task.slug, at, running: endedByUndo(deps, undo) !== undefined };
    },
    undo: async ({ id, end_program: mayEnd }, { who }) => {
      const newest = undoable(deps, id).task.id;
      return lock(`task ${newest}`, async () => {
        // Not what is the newest by now: that is another task, whose lock is not held.
        const { undone, task } = await undoLast(deps, newest, who, mayEnd);
        amounts.forget(task.id);
        return { undone, task: view(task) };
      });
    },
  } satisfies Partial<Handlers>;
}

function requireBase(task: TaskRecord): string {
  if (task.base !== undefined) return task.base;
  const hint = "name a branch: --base BRANCH";
  throw new PanewardError("wrong_state", `task ${task.id} was made from a detached HEAD`, { hint });
}

function requireWorktree(task: TaskRecord): TaskRecord {
  if (task.hasWorktree) return task;
  const hint = `start it: \`paneward start ${task.id}\``;
  throw new PanewardError("wrong_state", `task ${task.id} has no worktree yet`, { hint });
}
