import { copyFile, mkdtemp, rm, stat, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gitLine } from "./git.ts";

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
export async function copyIndex(worktree: string, to: string): Promise<void> {
  const from = await gitLine(worktree, ["rev-parse", "--path-format=absolute", "--git-path", "index"]);
  const { atime, mtimeMs } = await stat(from);
  await copyFile(from, to);
  await utimes(to, atime, Math.floor(mtimeMs / 1_000));
}
