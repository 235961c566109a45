import { createHash } from "node:crypto";
import { lstat, mkdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import { PanewardError } from "@paneward/sdk";
import { openForeign } from "@paneward/sdk/node/files";
import { type Difference, differencesBetween, isWritten } from "./differences.ts";
import type { GitPlace } from "./git.ts";
import { withOwnHead } from "./guard.ts";
import { readingAt } from "./private-copies.ts";
import { putFile, writeThere } from "./put-files.ts";
import { pathIn } from "./raw-paths.ts";
import { clearFile, inFolderOf } from "./worktree-files.ts";

/**
 * Undoes a change of a worktree's files from one commit to another that stopped somewhere. An agent may have written
 * since: what is neither of the first commit nor of the second is left as it is.
 */
export async function putFilesBack(worktree: GitPlace, from: string, to: string): Promise<void> {
  await withVersions(worktree, to, from, (old, back) =>
    withVersions(worktree, from, to, async (changed) => {
      const isOurs = new Set<string>();
      for (const { path } of back) {
        const now = await contentAt(worktree.folder, path);
        const isChanged = now === undefined || now === (await contentAt(changed, path));
        if (isChanged && now !== (await contentAt(old, path))) isOurs.add(path);
      }
      const ours = back.filter(({ path }) => isOurs.has(path));
      for (const { path } of ours) await clearFile(worktree.folder, path);
      for (const { path } of ours.filter(isWritten)) {
        const put = inFolderOf(worktree.folder, path, (folder, name) => putFile(pathIn(old, path), folder, name));
        await put.catch(takenIsFine);
      }
    }),
  );
}

/** Writes what differs as the second commit has it into a folder of Paneward's own. */
function withVersions<Result>(
  worktree: GitPlace,
  one: string,
  other: string,
  use: (files: string, differences: readonly Difference[]) => Promise<Result>,
): Promise<Result> {
  return withOwnHead(worktree, other, async (own) => {
    const differences = await differencesBetween(own, one, other);
    const files = join(own.own, "files");
    await mkdir(files);
    await writeThere({ ...own, folder: files }, differences.filter(isWritten));
    return use(files, differences);
  });
}

/** What is at a path, to be compared; undefined if there is nothing, or a link leads there. Paths are latin1. */
async function contentAt(top: string, path: string): Promise<string | undefined> {
  const stats = await readingAt(top, path, (at) => lstat(at)).catch(notThere);
  if (stats?.isSymbolicLink()) return readingAt(top, path, async (at) => `link ${await readlink(at, "latin1")}`);
  if (!stats?.isFile()) return stats && "something else";
  const file = await readingAt(top, path, (at) => openForeign(at));
  try {
    const hash = createHash("sha256");
    for await (const bytes of file.createReadStream({ autoClose: false })) hash.update(bytes);
    return `${stats.mode & 0o100 ? "program" : "file"} ${hash.digest("hex")}`;
  } finally {
    await file.close();
  }
}

function notThere(error: unknown): undefined {
  if (!(error instanceof PanewardError)) throw error;
}

/** Where an agent has put something in the way since, that stays. */
function takenIsFine(error: NodeJS.ErrnoException): void {
  if (!(error instanceof PanewardError) && error.code !== "EISDIR" && error.code !== "EEXIST") throw error;
}
