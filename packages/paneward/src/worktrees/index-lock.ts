import { type FileHandle, open, readFile, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { PanewardError } from "@paneward/sdk";
import type { GitPlace } from "./git.ts";
import { type IndexEnvironment, withIndexCopy } from "./own-index.ts";

/**
 * Changes a checkout's index in a copy of the daemon's own, which then takes the place of the original. git itself would
 * write through a link there.
 */
export function changingIndex<Result>(
  place: GitPlace,
  change: (env: IndexEnvironment) => Promise<Result>,
): Promise<Result> {
  return withLockedIndex(place, (put) =>
    withIndexCopy(place, async (env) => {
      try {
        return await change(env);
      } finally {
        await put(env.GIT_INDEX_FILE);
      }
    }),
  );
}

/** Locks the index as git does it, so that the agent's git waits its turn; `put` replaces it by another file. */
export async function withLockedIndex<Result>(
  place: GitPlace,
  use: (put: (path: string) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const lock = await lockIndex(place);
  try {
    return await use(async (path) => {
      const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "ENOENT") throw error;
      });
      if (!bytes) return;
      await lock.file.writeFile(bytes);
      await rename(lock.path, join(place.gitDir, "index"));
    });
  } finally {
    await lock.file.close();
    await unlink(lock.path).catch(() => {});
  }
}

async function lockIndex({ gitDir, folder }: GitPlace): Promise<{ readonly file: FileHandle; readonly path: string }> {
  const path = join(gitDir, "index.lock");
  try {
    return { path, file: await open(path, "wx", 0o644) };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause;
    throw new PanewardError("unavailable", `another git command is running in ${folder}`, {
      cause,
      hint: `try again; if no git is running there, remove ${path}`,
    });
  }
}
