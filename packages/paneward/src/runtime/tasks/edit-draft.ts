import { PanewardError, type Parsed } from "@paneward/sdk";
import type { TaskRecord } from "../../model/records.ts";
import type { World } from "../world.ts";
import { requireAgent } from "./task-launch.ts";
import { baseOf } from "./tasks.ts";

type Edits = Omit<Parsed<"edit">, "id">;

/** Changes a task that was never started. Its id, its slug and its branch's name stay, since others may know them. */
export async function editDraft(world: World, task: TaskRecord, { text, agent, base }: Edits): Promise<TaskRecord> {
  if (!task.draft || task.hasWorktree) throw notADraft(task);
  if (agent !== undefined) requireAgent(agent, (await world.configFor(task.root)).config.agents);
  const edited: TaskRecord = {
    ...task,
    ...(text === undefined ? {} : { text }),
    ...(agent === undefined ? {} : { agent }),
    ...(base === undefined ? {} : await baseOf(world, await world.worktrees.repository(task.root), base)),
  };
  world.store.write((writer) => {
    writer.putTask(edited);
    writer.append("tasks_changed", { reason: `task ${task.id} ${task.slug} was edited` });
  });
  return edited;
}

function notADraft({ id }: TaskRecord): PanewardError {
  return new PanewardError("wrong_state", `task ${id} was started already; only a draft can be edited`, {
    hint: `\`paneward send ${id} TEXT\` adds to what its agent has; \`paneward new --draft\` makes another task`,
  });
}
