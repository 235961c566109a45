import { constants, type Stats } from "node:fs";
import { copyFile, lstat, readdir, readlink, symlink } from "node:fs/promises";
import { dirname, isAbsolute, join, normalize } from "node:path";
import { openForeign } from "@paneward/sdk/node/files";
import { partsOf } from "./folders-above.ts";
import { NotAFolder, withFolder } from "./held-folders.ts";
import { rawPath } from "./raw-paths.ts";

export interface Target {
  readonly root: string;
  readonly worktree: string;
  readonly isWanted: (path: string) => boolean;
}

/** Copies a file, a link or a folder recursively; returns how many files were new. Overwrites nothing. */
export async function copyInto(target: Target, path: string): Promise<number> {
  if (!target.isWanted(path)) return 0;
  const stats = await lstat(join(target.root, path)).catch(() => undefined);
  if (!stats) return 0;
  if (stats.isDirectory()) return copyFolder(target, path);
  if (!stats.isFile() && !stats.isSymbolicLink()) return 0;
  const { above, name } = partsOf(rawPath(path));
  const copying = withFolder(target.worktree, above, (folder) => copyOne(target, path, stats, folder.at(name)), {
    make: true,
  });
  const copied = await copying.catch((error: unknown) => {
    if (!(error instanceof NotAFolder)) throw error;
  });
  return copied ?? 0;
}

async function copyFolder(target: Target, path: string): Promise<number> {
  const names = await readdir(join(target.root, path));
  const counts = await Promise.all(names.map((name) => copyInto(target, join(path, name))));
  return counts.reduce((total, count) => total + count, 0);
}

async function copyOne(target: Target, path: string, stats: Stats, to: Buffer): Promise<number> {
  const from = join(target.root, path);
  try {
    if (stats.isFile()) await copyPlainFile(from, to);
    else if (!(await copyLink(from, to, path))) return 0;
    return 1;
  } catch (error) {
    // Keep an existing copy: an agent may have changed it.
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return 0;
    throw error;
  }
}

/** By its handle: the path may become a FIFO or a link meanwhile. */
async function copyPlainFile(from: string, to: Buffer): Promise<void> {
  const file = await openForeign(from);
  try {
    await copyFile(`/dev/fd/${file.fd}`, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  } finally {
    await file.close();
  }
}

/** Copies a link as a link, unless it points out of the worktree. */
async function copyLink(from: string, to: Buffer, path: string): Promise<boolean> {
  const target = await readlink(from);
  if (isAbsolute(target) || normalize(join(dirname(path), target)).split("/")[0] === "..") return false;
  await symlink(target, to);
  return true;
}
