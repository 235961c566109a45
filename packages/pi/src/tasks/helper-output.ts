import type { TaskSnapshot } from "./snapshot.ts";

/** The tasks that `pi-tmux-task-run` reports as started in this session, wherever its four lines are in the output. */
export function startedTasks(
  output: string,
  session: string,
): readonly Pick<TaskSnapshot, "windowId" | "windowName" | "taskCwd">[] {
  return [...output.matchAll(fourLines)]
    .filter(([, name]) => name === session)
    .map(([, , windowId = "", windowName = "", taskCwd = ""]) => ({ windowId, windowName, taskCwd }));
}

const fourLines = /^session=(.+)\nwindow_id=(@\d+)\ntask=(.+)\ncwd=(.+)$/gm;
