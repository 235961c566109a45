import { rmdir, unlink } from "node:fs/promises";
import { PanewardError } from "@paneward/sdk";
import { foldersAbove, partsOf } from "./folders-above.ts";
import { type HeldFolder, NotAFolder, withFolder } from "./held-folders.ts";

/** Makes the folder of a path below a worktree and works in it. Paths are latin1. */
export async function inFolderOf<Result>(
  worktree: string,
  path: string,
  use: (folder: HeldFolder, name: string) => Promise<Result>,
): Promise<Result> {
  const { above, name } = partsOf(path);
  const done = await withFolder(worktree, above, async (folder) => ({ result: await use(folder, name) }), {
    make: true,
  }).catch((error: unknown) => {
    throw error instanceof NotAFolder ? inTheWay(worktree, path, error) : error;
  });
  if (!done) throw inTheWay(worktree, path);
  return done.result;
}

/** Removes a file and folders that become empty: a file may have to take their place. Nothing behind a link is removed. */
export async function clearFile(worktree: string, path: string): Promise<void> {
  if (!(await removes(worktree, path, unlink))) return;
  for (const folder of foldersAbove(path)) if (!(await removes(worktree, folder, rmdir))) return;
}

function inTheWay(worktree: string, path: string, cause?: Error): PanewardError {
  const shown = Buffer.from(path, "latin1").toString("utf8");
  const message = `${shown} cannot be written: a link or a file is in the way of its folder in ${worktree}`;
  return new PanewardError("wrong_state", message, {
    hint: "look at it, and move it elsewhere; then try again",
    cause,
  });
}

async function removes(top: string, path: string, remove: (path: Buffer) => Promise<void>): Promise<boolean> {
  const { above, name } = partsOf(path);
  const gone = withFolder(top, above, (folder) => remove(folder.at(name)).then(() => true));
  return (await gone.catch(() => false)) === true;
}
