import { constants } from "node:fs";
import { copyFile, link, lstat, readlink, rmdir, symlink, unlink } from "node:fs/promises";
import type { Difference } from "./differences.ts";
import { type GitPlace, git } from "./git.ts";
import type { HeldFolder } from "./held-folders.ts";

/** Writes files of a place's HEAD, with the conversions that a checkout makes; for attributes git looks into the index. */
export async function writeThere(place: GitPlace, written: readonly Difference[]): Promise<void> {
  await git(place, ["read-tree", "HEAD"]);
  await git(place, ["checkout-index", "--quiet", "-z", "--stdin"], {
    input: written.map(({ path }) => `${path}\0`).join(""),
    encoding: "latin1",
  });
}

/** Moves a file of the daemon's own into a worktree. Whatever is there meanwhile stays, and is the error EEXIST. */
export async function putFile(from: Buffer, folder: HeldFolder, name: string): Promise<void> {
  // An empty folder is where a submodule was.
  await rmdir(folder.at(name)).catch(() => {});
  const failed = await link(from, folder.at(name)).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error,
  );
  if (!failed) return unlink(from);
  if (failed.code === "EEXIST") throw failed;
  // The worktree is on another disk, or on one without hard links.
  if ((await lstat(from)).isSymbolicLink()) await symlink(await readlink(from, "buffer"), folder.at(name));
  else await copyFile(from, folder.at(name), constants.COPYFILE_EXCL);
}
