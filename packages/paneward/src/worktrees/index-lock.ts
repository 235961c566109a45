import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { PanewardError } from "@paneward/sdk";
import { withFileLock } from "./file-lock.ts";
import type { GitPlace } from "./git.ts";
import { withFolder } from "./held-folders.ts";
import { type IndexEnvironment, withIndexCopy } from "./own-index.ts";
import { rawPath } from "./raw-paths.ts";

/** Changes a checkout's index in a copy of the daemon's own, which then takes the place of the original. */
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
  { gitDir, commonDir }: GitPlace,
  use: (put: (path: string) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const done = await withFolder(commonDir, rawPath(relative(commonDir, gitDir)), (folder) =>
    withFileLock(folder, "index", `${gitDir}/index`, async (put) => ({
      result: await use(async (path) => {
        const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== "ENOENT") throw error;
        });
        if (bytes) await put(bytes);
      }),
    })),
  );
  if (done) return done.result;
  throw new PanewardError("wrong_state", `${gitDir} is gone`, { hint: "`git worktree list` shows what is left" });
}
