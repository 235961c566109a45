import { constants } from "node:fs";
import { copyFile, lstat, mkdir, readlink, rename, symlink } from "node:fs/promises";
import { join } from "node:path";
import { PanewardError } from "@paneward/sdk";
import { readable, someOf } from "./changes.ts";
import { type Difference, differencesBetween, isWritten } from "./differences.ts";
import { type GitPlace, git } from "./git.ts";
import { withOwnHead } from "./guard.ts";
import type { HeldFolder } from "./held-folders.ts";
import { changingIndex } from "./index-lock.ts";
import { pathIn } from "./raw-paths.ts";
import { checkoutRecord } from "./unfinished.ts";
import { clearFile, inFolderOf } from "./worktree-files.ts";

/**
 * Changes the files of a worktree without uncommitted changes from one commit to another. git would write through a link
 * that an agent puts in the place of a folder meanwhile. So it writes the files into a folder of Paneward's own, and from
 * there each is put into its place.
 */
export function moveFiles(worktree: GitPlace, from: string, to: string): Promise<void> {
  return withOwnHead(worktree, to, async (own) => {
    const differences = await differencesBetween(own, from, to);
    const written = differences.filter(isWritten);
    const files = join(own.own, "files");
    await mkdir(files);
    await writeThere({ ...own, folder: files }, written);
    await changingIndex(worktree, async (env, ifKilled) => {
      await git(worktree, ["read-tree", "-i", "-m", from, to], { env });
      await refuseInTheWay(worktree.folder, written);
      await ifKilled({ kind: "files", from, to, ...checkoutRecord(worktree) });
      for (const { path } of differences) await clearFile(worktree.folder, path);
      for (const { path } of written) {
        await inFolderOf(worktree.folder, path, (folder, name) => putFile(pathIn(files, path), folder, name));
      }
      await git(worktree, ["update-index", "-q", "--refresh"], { env });
    });
  });
}

/** With the conversions of line endings that a checkout makes; for attributes git looks into the index. */
export async function writeThere(place: GitPlace, written: readonly Difference[]): Promise<void> {
  await git(place, ["read-tree", "HEAD"]);
  await git(place, ["checkout-index", "--quiet", "-z", "--stdin"], {
    input: written.map(({ path }) => `${path}\0`).join(""),
    encoding: "latin1",
  });
}

/** A file that the first commit does not have is one that git ignores, or that came meanwhile. */
async function refuseInTheWay(worktree: string, written: readonly Difference[]): Promise<void> {
  const found: string[] = [];
  for (const { path, isOld } of written) {
    if (!isOld && (await lstat(pathIn(worktree, path)).catch(() => undefined))?.isFile()) found.push(readable(path));
  }
  if (found.length === 0) return;
  throw new PanewardError(
    "conflict",
    `the merge would overwrite ${someOf(found)} in ${worktree}; nothing was changed`,
    {
      hint: "move those files elsewhere, then merge again",
    },
  );
}

export async function putFile(from: Buffer, folder: HeldFolder, name: string): Promise<void> {
  await rename(from, folder.at(name)).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "EXDEV") throw error;
    // The worktree is on another disk.
    if ((await lstat(from)).isSymbolicLink()) await symlink(await readlink(from, "buffer"), folder.at(name));
    else await copyFile(from, folder.at(name), constants.COPYFILE_EXCL);
  });
}
