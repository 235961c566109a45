import type { Task, Terminal } from "@paneward/sdk";
import { z } from "zod";

/** What is promised of a terminal that a model is shown. There is more in it, and every client reads this at its start. */
export const TerminalShown = z.looseObject({ id: z.string(), status: z.string(), cwd: z.string() });

export const TaskShown = z.looseObject({ id: z.string(), status: z.string(), worktree: z.string() });

/** Enough of a terminal to choose the next call, no more. */
export function terminalShown({ id, name, status, why, argv, cwd, host, task, end }: Terminal) {
  return {
    id,
    name,
    status,
    why: why.rule,
    argv,
    cwd,
    ...(host === "local" ? {} : { host }),
    ...(task === undefined ? {} : { task: String(task) }),
    ...(end === undefined ? {} : { end }),
  };
}

export function taskShown({ id, slug, status, why, agent, root, branch, worktree, terminal, end, work }: Task) {
  return {
    id: String(id),
    slug,
    status,
    why: why.rule,
    agent,
    root,
    branch,
    worktree,
    ...(terminal === undefined ? {} : { terminal }),
    ...(end === undefined ? {} : { end }),
    ...(work === undefined ? {} : { work }),
  };
}

/** Whether something may still print or ask. */
export function isAlive(status: string): boolean {
  return status === "Running" || status === "Idle" || status === "Waiting";
}

/** The living, then the latest of the others: a list stays short however long the daemon has run. */
export function worthListing<One extends { readonly status: string; readonly createdAt: number }>(
  all: readonly One[],
  others: number,
): readonly One[] {
  const newestFirst = all.toSorted((a, b) => b.createdAt - a.createdAt);
  const rest = newestFirst.filter(({ status }) => !isAlive(status));
  return [...newestFirst.filter(({ status }) => isAlive(status)), ...rest.slice(0, others)];
}
