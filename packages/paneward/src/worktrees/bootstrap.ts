import { PanewardError } from "@paneward/sdk";
import type { BootstrapOptions } from "../runtime/ports.ts";
import { withAllowedSetup } from "./allowed-setup.ts";
import type { TaskGit } from "./checkouts.ts";
import { copyFiles } from "./copies.ts";
import { runSetup } from "./setup.ts";
import { emptySubmodules } from "./submodules.ts";

export interface Bootstrapped {
  readonly copied: readonly string[];
  readonly ran?: string;
  readonly output: string;
  /** Submodules that have no files in the end. */
  readonly emptySubmodules: readonly string[];
}

/** Prepares a worktree: copies files that git does not track, then runs the setup script. */
export async function bootstrap(
  { task, root, worktree }: TaskGit,
  options: BootstrapOptions,
  onProgress: (stage: string, text: string) => void,
): Promise<Bootstrapped> {
  if (!worktree) {
    throw new PanewardError("wrong_state", `task ${task.id} has no worktree`, {
      hint: `\`paneward start ${task.id}\` creates it`,
    });
  }
  const copied = await copyFiles(root, worktree, options, (path) => onProgress("copy", path));
  // Asked last: a copied file can be one that the command names, and nothing may change between the check and the run.
  const setup = await withAllowedSetup(task, options, (wanted) =>
    runSetup(task, wanted, options.env, (line) => onProgress("setup", line)),
  );
  return { copied, ...setup, emptySubmodules: await emptySubmodules(worktree) };
}
