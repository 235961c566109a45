import type { Task, Terminal } from "@paneward/sdk";
import { z } from "zod";

/** The guaranteed fields of a terminal. Results have more; the schema stays small because every client loads it. */
export const TerminalSummary = z.looseObject({ id: z.string(), status: z.string(), cwd: z.string() });

export const TaskSummary = z.looseObject({ id: z.string(), status: z.string(), worktree: z.string() });

/** Just enough of a terminal to choose the next call. */
export function terminalSummary({ id, name, status, why, argv, cwd, host, task, end }: Terminal) {
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

export function taskSummary({ id, slug, status, why, agent, root, branch, worktree, terminal, end, work }: Task) {
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

/** Whether the program may still print or ask. */
export function isAlive(status: string): boolean {
  return status === "Running" || status === "Idle" || status === "Waiting";
}

/** Those alive, then the latest `others` that ended, so that lists stay short. */
export function aliveAndRecent<One extends { readonly status: string; readonly createdAt: number }>(
  all: readonly One[],
  others: number,
): readonly One[] {
  const newestFirst = all.toSorted((a, b) => b.createdAt - a.createdAt);
  const rest = newestFirst.filter(({ status }) => !isAlive(status));
  return [...newestFirst.filter(({ status }) => isAlive(status)), ...rest.slice(0, others)];
}
