import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { PanewardError } from "@paneward/sdk";
import type { GitDirs } from "./guard.ts";

/**
 * Refuses a repository in which git would write through a link that an agent made. git appends to the log of a ref,
 * and makes a ref's folders, wherever a link leads; the name in a log is the repository's `user.name`.
 */
export async function refuseLinkedRefs({ gitDir, commonDir }: GitDirs, refs: readonly string[]): Promise<void> {
  const lists = ["packed-refs", "worktrees", "objects"].map((name) => join(commonDir, name));
  const below = (folder: string, path: string) => prefixesOf(path).map((prefix) => join(folder, prefix));
  const named = refs.flatMap((ref) => [...below(commonDir, ref), ...below(commonDir, `logs/${ref}`)]);
  const paths = [...new Set([...lists, ...named, ...below(gitDir, "logs/HEAD")])];
  const found = await Promise.all(paths.map((path) => lstat(path).catch(() => undefined)));
  const linked = paths.find((_, index) => found[index]?.isSymbolicLink());
  if (linked === undefined) return;
  throw new PanewardError("wrong_state", `${linked} is a link, through which git would write elsewhere`, {
    hint: "look at it, and replace it by what it leads to, or remove it",
  });
}

/** For `a/b/c`: `a`, `a/b`, `a/b/c`. */
function prefixesOf(path: string): readonly string[] {
  const parts = path.split("/");
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}
