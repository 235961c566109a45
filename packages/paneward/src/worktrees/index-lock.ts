import { readFile, stat } from "node:fs/promises";
import { relative } from "node:path";
import { PanewardError } from "@paneward/sdk";
import { type Locked, withFileLock } from "./file-lock.ts";
import type { GitPlace } from "./git.ts";
import { withFolder } from "./held-folders.ts";
import { copyCheckedIndex, type IndexEnvironment, withTemporaryIndex } from "./own-index.ts";
import { rawPath } from "./raw-paths.ts";

/** Changes a checkout's index in a copy of the daemon's own, which then takes the place of the original; unless it fails. */
export function changingIndex<Result>(
  place: GitPlace,
  change: (env: IndexEnvironment, ifKilled: Locked["ifKilled"]) => Promise<Result>,
): Promise<Result> {
  return withTemporaryIndex(place.guards, (env) =>
    withLockedIndex(place, async ({ ifKilled, put }) => {
      await copyCheckedIndex(place, env);
      const before = await versionOf(env.GIT_INDEX_FILE);
      const result = await change(env, ifKilled);
      // git writes an index as a new file. One that it left as it was keeps its time, by which git knows what it must look at.
      if ((await versionOf(env.GIT_INDEX_FILE)) !== before) await put(env.GIT_INDEX_FILE);
      return result;
    }),
  );
}

async function versionOf(path: string): Promise<string> {
  const stats = await stat(path).catch(() => undefined);
  return `${stats?.ino} ${stats?.mtimeMs} ${stats?.size}`;
}

export interface LockedIndex extends Pick<Locked, "ifKilled"> {
  /** Replaces the index by another file. */
  readonly put: (path: string) => Promise<void>;
}

/** Locks the index as git does it, so that the agent's git waits its turn. */
export async function withLockedIndex<Result>(
  { gitDir, commonDir, guards }: GitPlace,
  use: (locked: LockedIndex) => Promise<Result>,
): Promise<Result> {
  const below = rawPath(relative(commonDir, gitDir));
  const done = await withFolder(commonDir, below, (folder) =>
    withFileLock(folder, { guards, commonDir, below, name: "index" }, async ({ put, ifKilled }) => ({
      result: await use({
        ifKilled,
        put: async (path) => {
          const bytes = await wholeIndex(path);
          if (bytes) await put(bytes);
        },
      }),
    })),
  );
  if (done) return done.result;
  throw new PanewardError("wrong_state", `${gitDir} is gone`, { hint: "`git worktree list` shows what is left" });
}

/** git writes an index as a whole; one that is not there changes nothing. */
export async function wholeIndex(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return undefined;
  });
}
