import { PanewardError } from "@paneward/sdk";
import type { TaskRecord } from "../model/records.ts";
import type { BootstrapOptions } from "../runtime/ports.ts";
import { worktreeExists } from "./checkouts.ts";
import { copyFiles } from "./copies.ts";
import { runSetup } from "./setup.ts";

export interface Bootstrapped {
  readonly copied: readonly string[];
  readonly ran?: string;
  readonly output: string;
}

/** Prepares a worktree: copies files that git does not track, then runs the setup script. */
export async function bootstrap(
  task: TaskRecord,
  options: BootstrapOptions,
  onProgress: (stage: string, text: string) => void,
): Promise<Bootstrapped> {
  if (!(await worktreeExists(task))) {
    throw new PanewardError("wrong_state", `task ${task.id} has no worktree`, {
      hint: `\`paneward start ${task.id}\` creates it`,
    });
  }
  const copied = await copyFiles(task, options, (path) => onProgress("copy", path));
  const setup = await runSetup(task, options, (line) => onProgress("setup", line));
  return { copied, ...setup };
}
