import type { Task } from "@paneward/sdk";
import type { Out } from "./look/out.ts";

/** Says which submodules the daemon left without files, and what fetches them. */
export function noteEmptySubmodules(out: Pick<Out, "note">, { emptySubmodules, worktree }: Task): void {
  if (emptySubmodules === undefined) return;
  out.note(`submodules without files: ${emptySubmodules.join(", ")}`);
  out.note(`\`git submodule update --init --recursive\` in ${worktree} or in .paneward/setup.sh fetches them`);
}
