import { PanewardError } from "@paneward/sdk";
import type { takingTurns } from "../../model/keyed-mutex.ts";
import type { TaskRecord } from "../../model/records.ts";
import type { Handlers } from "../handlers.ts";
import { resolveTask, turnOf } from "../resolve.ts";
import { bootstrapTask, createTask, environmentOf, resetTask, startTask, undoable, undoLast } from "../tasks/tasks.ts";
import type { WorkAmounts } from "../tasks/work-amounts.ts";
import type { Supervisor } from "../terminals/supervisor.ts";
import type { Runtime } from "../world.ts";
import { taskView } from "./views.ts";

const longestDiff = 4_000_000;

/** What can be done with a task. */
export function taskOperations(
  rt: Runtime,
  supervisor: Supervisor,
  amounts: WorkAmounts,
  inTurn: ReturnType<typeof takingTurns>,
) {
  const view = (record: TaskRecord) => taskView(rt, record, amounts.known(record.id));
  const withTask = <Result>(id: string, work: (task: TaskRecord) => Promise<Result>) =>
    inTurn(turnOf(rt, id), () => work(resolveTask(rt, id)));
  return {
    new: async (input) => {
      const created = await createTask(rt, input);
      if (input.draft) return view(created);
      return withTask(String(created.id), async (task) => view(await startTask(rt, supervisor, task)));
    },
    start: ({ id }) => withTask(id, async (task) => view(await startTask(rt, supervisor, task))),
    complete: ({ id }, { who }) =>
      withTask(id, async (task) => {
        if (task.completedAt !== undefined) return view(task);
        const completed = { ...task, completedAt: rt.clock.now() };
        rt.store.write((writer) => {
          writer.putTask(completed);
          writer.append("task_completed", { task: task.id, slug: task.slug, by: who });
        });
        return view(completed);
      }),
    reset: ({ id }, { who }) =>
      withTask(id, async (task) => {
        const reset = await resetTask(rt, supervisor, task, who);
        amounts.forget(task.id);
        return { task: view(reset.task), ...(reset.rescue === undefined ? {} : { rescue: reset.rescue }) };
      }),
    merge: ({ id, base }) =>
      withTask(id, async (task) => {
        const into = base ?? requireBase(task);
        const merged = await rt.worktrees.merge(requireWorktree(task), into);
        const { commits } = merged;
        amounts.forget(task.id);
        rt.store.write((writer) =>
          writer.append("task_merged", { task: task.id, slug: task.slug, base: into, commits }),
        );
        return merged;
      }),
    diff: async ({ id, stat }) => {
      const task = requireWorktree(resolveTask(rt, id));
      const text = await rt.worktrees.diff(task, stat ?? false);
      const truncated = text.length > longestDiff;
      return { base: task.base ?? task.baseCommit ?? "", diff: text.slice(0, longestDiff), truncated };
    },
    path: async ({ id }) => {
      const task = resolveTask(rt, id);
      return { path: task.worktree, exists: await rt.worktrees.exists(task), env: { ...environmentOf(rt, task) } };
    },
    branch: async ({ id }) => {
      const { branch, base } = resolveTask(rt, id);
      return { branch, ...(base === undefined ? {} : { base }) };
    },
    bootstrap: ({ id }) =>
      withTask(id, async (task) => {
        const { copied, ran, output } = await bootstrapTask(rt, requireWorktree(task));
        return { copied: [...copied], output, ...(ran === undefined ? {} : { ran }) };
      }),
    undo: ({ id }, { who }) =>
      inTurn(`task ${undoable(rt, id).task.id}`, async () => {
        const { undone, task } = await undoLast(rt, supervisor, id, who);
        amounts.forget(task.id);
        return { undone, task: view(task) };
      }),
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
