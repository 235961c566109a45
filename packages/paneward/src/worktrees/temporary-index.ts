import { copyFile, mkdtemp, rm, stat, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gitLine } from "./git.ts";

/** An index file of our own, so that the one an agent works with is never touched. */
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

// git takes a file for unchanged when its time is older than the index. A copy with a newer time would hide
// what was changed in the second in which the original was written.
export async function copyIndex(worktree: string, to: string): Promise<void> {
  const from = await gitLine(worktree, ["rev-parse", "--path-format=absolute", "--git-path", "index"]);
  const { atime, mtimeMs } = await stat(from);
  await copyFile(from, to);
  await utimes(to, atime, Math.floor(mtimeMs / 1_000));
}
