import { lstat, mkdir } from "node:fs/promises";
import { pathIn } from "./raw-paths.ts";

/**
 * Creates the folders above a path level by level; false if something else than a folder, such as a link, is in the way.
 * Paths are latin1.
 */
export async function makeFoldersAbove(top: string, path: string): Promise<boolean> {
  for (const folder of foldersAbove(path).toReversed()) {
    await mkdir(pathIn(top, folder)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
    if (!(await isFolder(top, folder))) return false;
  }
  return true;
}

/** Whether everything above a path is a folder, and none of it a link. */
export async function hasFoldersAbove(top: string, path: string): Promise<boolean> {
  for (const folder of foldersAbove(path).toReversed()) if (!(await isFolder(top, folder))) return false;
  return true;
}

/** For `a/b/c`: `a/b`, `a`. */
export function foldersAbove(path: string): readonly string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, parts.length - index).join("/"));
}

async function isFolder(top: string, path: string): Promise<boolean> {
  return (await lstat(pathIn(top, path)).catch(() => undefined))?.isDirectory() === true;
}
