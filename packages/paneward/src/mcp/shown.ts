import type { Task, Terminal } from "@paneward/sdk";
import { z } from "zod";

/** What a model is shown of a terminal: enough to choose the next call, no more. */
export const TerminalShown = z.object({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  why: z.string(),
  argv: z.array(z.string()),
  cwd: z.string(),
  host: z.string().optional(),
  task: z.string().optional(),
  end: z.looseObject({ kind: z.string() }).optional(),
});

export const TaskShown = z.object({
  id: z.string(),
  slug: z.string(),
  status: z.string(),
  why: z.string(),
  agent: z.string(),
  root: z.string(),
  branch: z.string(),
  worktree: z.string(),
  terminal: z.string().optional(),
  end: z.looseObject({ kind: z.string() }).optional(),
  work: z.looseObject({}).optional(),
});

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
