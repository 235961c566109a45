import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { PanewardError } from "@paneward/sdk";
import { type Difference, differencesBetween, isWritten } from "./differences.ts";
import { type GitPlace, git } from "./git.ts";
import { withOwnHead } from "./guard.ts";
import { refuseInTheWay } from "./in-the-way.ts";
import { changingIndex } from "./index-lock.ts";
import { notPutBack } from "./not-put-back.ts";
import { putFilesBack } from "./put-back.ts";
import { putFile, writeThere } from "./put-files.ts";
import { pathIn } from "./raw-paths.ts";
import { checkoutRecord } from "./unfinished.ts";
import { clearFile, inFolderOf } from "./worktree-files.ts";

/**
 * Changes the files of a worktree without uncommitted changes from one commit to another, or none of them. git would write
 * through a link that an agent puts in the place of a folder meanwhile. So it writes the files into a folder of Paneward's
 * own, and from there each is put into its place.
 */
export function moveFiles(worktree: GitPlace, from: string, to: string): Promise<void> {
  return withOwnHead(worktree, to, async (own) => {
    const differences = await differencesBetween(own, from, to);
    const files = join(own.own, "files");
    await mkdir(files);
    await writeThere({ ...own, folder: files }, differences.filter(isWritten));
    await changingIndex(worktree, async (env, ifKilled) => {
      await git(worktree, ["read-tree", "-i", "-m", from, to], { env });
      await refuseInTheWay(worktree, differences);
      await ifKilled({ kind: "files", from, to, ...checkoutRecord(worktree) });
      try {
        await replaceFiles(worktree, differences, files);
      } catch (cause) {
        await putFilesBack(worktree, from, to).catch((why: Error) => {
          throw notPutBack(worktree.folder, why, cause);
        });
        throw (cause as NodeJS.ErrnoException).code === "EEXIST" ? cameMeanwhile(worktree, cause) : cause;
      }
      await git(worktree, ["update-index", "-q", "--refresh"], { env });
    });
  });
}

/** What an agent has written since stays. */
export function moveFilesBack(worktree: GitPlace, from: string, to: string): Promise<void> {
  return changingIndex(worktree, async (env) => {
    await git(worktree, ["read-tree", "-i", "-m", to, from], { env });
    await putFilesBack(worktree, from, to);
    await git(worktree, ["update-index", "-q", "--refresh"], { env });
  });
}

async function replaceFiles({ folder }: GitPlace, differences: readonly Difference[], files: string): Promise<void> {
  for (const { path } of differences) await clearFile(folder, path);
  for (const { path } of differences.filter(isWritten)) {
    await inFolderOf(folder, path, (held, name) => putFile(pathIn(files, path), held, name));
  }
}

function cameMeanwhile({ folder }: GitPlace, cause: unknown): PanewardError {
  return new PanewardError("conflict", `a file in the way of the merge came into ${folder}; nothing was changed`, {
    hint: "look at `git status` there, then merge again",
    cause,
  });
}
