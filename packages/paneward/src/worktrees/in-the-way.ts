import type { Stats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { PanewardError } from "@paneward/sdk";
import { changedPaths, readable, someOf } from "./changes.ts";
import { type Difference, isWritten } from "./differences.ts";
import { foldersAbove } from "./folders-above.ts";
import type { GitPlace } from "./git.ts";
import { pathIn } from "./raw-paths.ts";

/**
 * Refuses to move files where that would lose others: those that git ignores, and those that came or changed since the
 * worktree was looked at. An agent works on while its commits are made again.
 */
export async function refuseInTheWay(worktree: GitPlace, differences: readonly Difference[]): Promise<void> {
  const old = new Set(differences.filter(({ isOld }) => isOld).map(({ path }) => path));
  const changed = (await changedPaths(worktree)).filter((path) => old.has(path));
  if (changed.length > 0) throw changedMeanwhile(worktree, changed);
  const found = new Set<string>();
  for (const { path } of differences.filter(isWritten)) {
    const other = await inTheWayOf(worktree.folder, path, old);
    if (other !== undefined) found.add(other);
  }
  if (found.size > 0) throw wouldOverwrite(worktree, [...found]);
}

/** What is at a path, above or below it, and is none of the files that make room. Paths are latin1. */
async function inTheWayOf(top: string, path: string, old: ReadonlySet<string>): Promise<string | undefined> {
  for (const folder of foldersAbove(path)) {
    const above = await statsOf(top, folder);
    if (above && !above.isDirectory() && !old.has(folder)) return folder;
  }
  return otherBelow(top, path, old);
}

async function otherBelow(top: string, path: string, old: ReadonlySet<string>): Promise<string | undefined> {
  const stats = await statsOf(top, path);
  if (!stats?.isDirectory()) return stats && !old.has(path) ? path : undefined;
  for (const name of await readdir(pathIn(top, path), { encoding: "latin1" })) {
    const inside = await otherBelow(top, `${path}/${name}`, old);
    if (inside !== undefined) return inside;
  }
}

function statsOf(top: string, path: string): Promise<Stats | undefined> {
  return lstat(pathIn(top, path)).catch(() => undefined);
}

function changedMeanwhile({ folder }: GitPlace, paths: readonly string[]): PanewardError {
  const files = someOf(paths.map(readable));
  return new PanewardError("conflict", `${files} changed in ${folder} during the merge; nothing was changed`, {
    hint: "commit what the agent works on, then merge again",
  });
}

function wouldOverwrite({ folder }: GitPlace, paths: readonly string[]): PanewardError {
  const files = someOf(paths.map(readable));
  return new PanewardError("conflict", `the merge would overwrite ${files} in ${folder}; nothing was changed`, {
    hint: "move those files elsewhere, then merge again",
  });
}
