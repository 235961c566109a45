import { constants } from "node:fs";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { PanewardError } from "@paneward/sdk";
import { openForeign } from "@paneward/sdk/node/files";
import { readable } from "./changes.ts";
import type { GitPlace } from "./git.ts";
import { hasFoldersAbove } from "./plain-folders.ts";
import { pathIn } from "./raw-paths.ts";

/** Copies files of a worktree to where a link can no longer take the place of one of their folders. Paths are latin1. */
export async function withPrivateCopies<Result>(
  { folder, guards }: GitPlace,
  paths: readonly string[],
  use: (copies: readonly string[]) => Promise<Result>,
): Promise<Result> {
  const own = await mkdtemp(join(guards.folder, "files-"));
  try {
    const copies = paths.map((_, index) => join(own, String(index)));
    for (const [index, path] of paths.entries()) await copyOne(folder, path, copies[index] ?? "");
    return await use(copies);
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/** Refuses a path that leads through a link. */
export async function requireFoldersAbove(worktree: string, path: string): Promise<void> {
  if (await hasFoldersAbove(worktree, path)) return;
  throw new PanewardError("wrong_state", `${readable(path)} in ${worktree} is behind a link or gone`, {
    hint: "another program changes the worktree; try again",
  });
}

async function copyOne(worktree: string, path: string, to: string): Promise<void> {
  await requireFoldersAbove(worktree, path);
  const file = await openForeign(pathIn(worktree, path));
  try {
    await copyFile(`/dev/fd/${file.fd}`, to, constants.COPYFILE_FICLONE);
  } finally {
    await file.close();
  }
}
