import type { Found } from "./resolve.ts";
import type { World } from "./world.ts";

/** Where files for an agent are kept: with the other files of its task, or in a folder of its terminal's own. */
export function attachmentFolder({ tasks }: World["places"], found: Found): string {
  const owner = found.kind === "task" ? found.task.id : (found.terminal.task ?? found.terminal.id);
  return `${tasks}/${owner}/attachments`;
}

/** A terminal outside of a task is removed; those of a task go with the task. */
export function removeAttachments({ files, places }: Pick<World, "files" | "places">, terminal: string): Promise<void> {
  return files.remove(`${places.tasks}/${terminal}`);
}
