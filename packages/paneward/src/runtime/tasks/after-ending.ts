import { PanewardError } from "@paneward/sdk";
import type { TaskRecord } from "../../model/records.ts";
import type { TaskDeps } from "./resume.ts";

/**
 * Ends the program of a task and forgets its terminal, then does what must not happen beside it. What git would refuse is
 * looked at first: a program that was ended for nothing has lost what it was doing. If the rest fails all the same, the error
 * says what was ended.
 */
export async function afterEnding<Result>(
  deps: TaskDeps,
  task: TaskRecord,
  by: string,
  work: () => Promise<Result>,
): Promise<Result> {
  if (task.hasWorktree) await deps.worktrees.requireRemovable(task);
  const terminal = task.terminal === undefined ? undefined : deps.store.terminal(task.terminal);
  if (terminal) {
    await deps.supervisor.stop(terminal, by);
    await deps.supervisor.remove(terminal);
  }
  try {
    return await work();
  } catch (error) {
    const wasRunning = terminal !== undefined && terminal.phase !== "ended";
    if (!wasRunning || !(error instanceof PanewardError)) throw error;
    throw alsoEnded(error, task.id, deps.store.task(task.id) !== undefined);
  }
}

function alsoEnded(cause: PanewardError, id: number, isThere: boolean): PanewardError {
  const ended = isThere
    ? { what: `task ${id} is still there, but its program was ended`, next: `\`paneward start ${id}\` runs it again` }
    : { what: `task ${id} was removed, and its program ended`, next: `\`paneward undo ${id}\` brings it back` };
  return new PanewardError(cause.code, `${cause.message}; ${ended.what}`, {
    hint: `${cause.hint}; ${ended.next}`,
    cause,
    ...(cause.errorType === undefined ? {} : { errorType: cause.errorType }),
  });
}
