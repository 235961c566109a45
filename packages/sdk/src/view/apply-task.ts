import type { Task } from "../shapes.ts";
import { afterEnd, judged } from "./ends.ts";
import { type Handlers, noChange } from "./handlers.ts";
import { changed, type View, without, withStale } from "./view.ts";

type HandledEvent =
  | "task_created"
  | "task_started"
  | "task_progress"
  | "task_status_changed"
  | "task_stopped"
  | "task_exited"
  | "task_lost"
  | "task_completed"
  | "task_merged"
  | "task_reset"
  | "task_removed"
  | "task_restored"
  | "task_notified"
  | "task_needs_input"
  | "task_disappeared";

export const taskHandlers: Handlers<HandledEvent> = {
  task_created: (view, { slug }) => withStale(view, "now", `${slug} was created`),
  task_restored: (view, { slug }) => withStale(view, "now", `${slug} was restored`),
  task_disappeared: (view, { slug }) => withStale(view, "now", `${slug} disappeared from tmux`),
  task_progress: (view, { task, text }) =>
    withStale({ ...view, progress: new Map(view.progress).set(task, text) }, "soon", "a worktree is being created"),
  task_started: (view, { task, terminal }, at) =>
    change(ready(view, task), task, ({ end: _end, ...rest }) => ({
      ...rest,
      terminal,
      startedAt: at,
      ...judged("Running", "daemon", "the agent was started", at),
    })),
  // No event reports changes in the worktree; an agent that stopped working has probably changed something.
  task_status_changed: (view, { task, status, why }) => {
    const next = change(view, task, (one) => ({ ...one, status, why }));
    return status === "Running" ? next : withStale(next, "soon", "its files may have changed");
  },
  task_stopped: (view, { task, by }, at) => ended(view, task, { kind: "stopped", by }, at),
  task_exited: (view, { task, end }, at) => ended(view, task, end, at),
  task_lost: (view, { task, reason }, at) => ended(view, task, { kind: "lost", reason }, at),
  task_completed: (view, { task }, at) =>
    change(view, task, (one) => ({ ...one, ...judged("Completed", "person", "it was marked as completed", at) })),
  task_merged: (view, { slug }) => withStale(view, "soon", `${slug} was merged`),
  task_reset: (view, { task, slug }, at) =>
    withStale(
      change(view, task, ({ end: _end, terminal: _terminal, work: _work, startedAt: _startedAt, ...rest }) => ({
        ...rest,
        ...judged("Draft", "daemon", "it was reset", at),
      })),
      "soon",
      `${slug} was reset`,
    ),
  task_removed: (view, { task }) => ({ ...ready(view, task), tasks: without(view.tasks, task) }),
  task_notified: noChange,
  task_needs_input: (view, { task, text }, at) =>
    change(view, task, (one) =>
      one.status === "Waiting" ? one : { ...one, ...judged("Waiting", "question", text, at) },
    ),
};

function change(view: View, id: number, how: (task: Task) => Task): View {
  return { ...view, tasks: changed(view.tasks, id, how) };
}

// A completed task stays completed when its agent exits later.
function ended(view: View, id: number, end: NonNullable<Task["end"]>, at: number): View {
  const next = change(ready(view, id), id, (one) =>
    one.status === "Completed" ? { ...one, end } : { ...one, end, ...afterEnd(end, at) },
  );
  return withStale(next, "soon", "its files may have changed");
}

function ready(view: View, id: number): View {
  return { ...view, progress: without(view.progress, id) };
}
