import { constants } from "node:fs";
import { copyFile, mkdtemp, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openForeign } from "@paneward/sdk/node/files";
import type { GitDirs } from "./guard.ts";

/** A separate index file, so that the agent's index is never touched. */
export async function withTemporaryIndex<Result>(
  use: (env: { readonly GIT_INDEX_FILE: string }) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "paneward-index-"));
  try {
    return await use({ GIT_INDEX_FILE: join(folder, "index") });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

// git assumes that a file is unchanged if it is older than the index. A copy with a newer time would hide changes made
// in the second in which the original was written.
export async function copyIndex({ gitDir }: GitDirs, to: string): Promise<void> {
  const from = await openForeign(join(gitDir, "index"));
  try {
    const { atime, mtimeMs } = await from.stat();
    await copyFile(`/dev/fd/${from.fd}`, to, constants.COPYFILE_FICLONE);
    await utimes(to, atime, Math.floor(mtimeMs / 1_000));
  } finally {
    await from.close();
  }
}
