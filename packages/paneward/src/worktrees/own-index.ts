import { constants } from "node:fs";
import { copyFile, mkdir, mkdtemp, readFile, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { PanewardError } from "@paneward/sdk";
import { openForeign } from "@paneward/sdk/node/files";
import { type GitPlace, git, gitLine, pieces } from "./git.ts";
import type { GitDirs, Guards } from "./guard.ts";
import { refuseOutside } from "./inside.ts";

export type IndexEnvironment = { readonly GIT_INDEX_FILE: string };

/** A new index file in the daemon's own folder, so that the agent's index is never touched. */
export async function withTemporaryIndex<Result>(
  { folder }: Guards,
  use: (env: IndexEnvironment) => Promise<Result>,
): Promise<Result> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const own = await mkdtemp(join(folder, "index-"));
  try {
    return await use({ GIT_INDEX_FILE: join(own, "index") });
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/** A copy of a checkout's index that an agent can no longer change, after a look at the paths in it. */
export function withIndexCopy<Result>(
  place: GitPlace,
  use: (env: IndexEnvironment) => Promise<Result>,
): Promise<Result> {
  return withTemporaryIndex(place.guards, async (env) => {
    await copyIndex(place, env.GIT_INDEX_FILE);
    await refuseForgedIndex(place, env);
    return use(env);
  });
}

// git assumes that a file is unchanged if it is older than the index. A copy with a newer time would hide changes made
// in the second in which the original was written.
export async function copyIndex({ gitDir }: GitDirs, to: string): Promise<void> {
  const from = await openForeign(join(gitDir, "index")).catch((error: NodeJS.ErrnoException) => {
    // Before its first file a checkout has no index.
    if (error.code !== "ENOENT") throw error;
  });
  if (!from) return;
  try {
    const { atime, mtimeMs } = await from.stat();
    await copyFile(`/dev/fd/${from.fd}`, to, constants.COPYFILE_FICLONE);
    await utimes(to, atime, Math.floor(mtimeMs / 1_000));
  } finally {
    await from.close();
  }
}

/** git follows the paths of an index as they are. Half of a split index stays where an agent can change it. */
export async function refuseForgedIndex(place: GitPlace, env: IndexEnvironment): Promise<void> {
  const bytes = await readFile(env.GIT_INDEX_FILE).catch(() => undefined);
  if (bytes === undefined) return;
  // The name of that part of the format; a file's name may contain it as well.
  if (bytes.includes("link") && (await gitLine(place, ["rev-parse", "--shared-index-path"], { env })) !== "") {
    throw new PanewardError("wrong_state", `the index of ${place.folder} is split into two files`, {
      hint: `\`git update-index --no-split-index\` in ${place.folder} joins them`,
    });
  }
  refuseOutside(place, pieces(await git(place, ["ls-files", "-z"], { env, encoding: "latin1" })));
}
