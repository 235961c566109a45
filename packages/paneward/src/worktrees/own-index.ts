import { constants } from "node:fs";
import { copyFile, mkdir, mkdtemp, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { PanewardError } from "@paneward/sdk";
import { openForeign } from "@paneward/sdk/node/files";
import { pathExists } from "./discover.ts";
import { type GitPlace, git, pieces, tryGit } from "./git.ts";
import type { GitDirs, Guards } from "./guard.ts";
import { refuseOutside } from "./inside.ts";
import { pathIn } from "./raw-paths.ts";

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
    await copyCheckedIndex(place, env);
    return use(env);
  });
}

/**
 * The same with every file looked at: an index can tell git to take a file for unchanged, and then what was changed in it
 * would not be saved.
 */
export function withHonestIndex<Result>(
  place: GitPlace,
  use: (env: IndexEnvironment) => Promise<Result>,
): Promise<Result> {
  return withTemporaryIndex(place.guards, async (env) => {
    const hidden: string[] = [];
    for (const { tag, path } of await copyCheckedIndex(place, env)) {
      // A sparse checkout leaves files out in the same way.
      const isLeftOut = tag === "S" && !(await pathExists(pathIn(place.folder, path)));
      if (tag !== tag.toUpperCase() || (tag === "S" && !isLeftOut)) hidden.push(path);
    }
    for (const flag of hidden.length === 0 ? [] : ["--no-assume-unchanged", "--no-skip-worktree"]) {
      const input = hidden.map((path) => `${path}\0`).join("");
      await git(place, ["update-index", flag, "-z", "--stdin"], { env, input, encoding: "latin1" });
    }
    return use(env);
  });
}

export async function copyCheckedIndex(place: GitPlace, env: IndexEnvironment): Promise<readonly Entry[]> {
  await copyIndex(place, env.GIT_INDEX_FILE);
  return checkedEntries(place, env);
}

/** A path of an index, and the letter by which git shows what it knows of it. */
interface Entry {
  readonly tag: string;
  readonly path: string;
}

// git assumes that a file is unchanged if it is older than the index. A copy with a newer time would hide changes made
// in the second in which the original was written.
async function copyIndex({ gitDir }: GitDirs, to: string): Promise<void> {
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
async function checkedEntries(place: GitPlace, env: IndexEnvironment): Promise<readonly Entry[]> {
  if (!(await pathExists(env.GIT_INDEX_FILE))) return [];
  const { code, out, err } = await tryGit(place, ["ls-files", "-v", "-z"], { env, encoding: "latin1" });
  if (/sharedindex\./.test(err)) {
    throw new PanewardError("wrong_state", `the index of ${place.folder} is split into two files`, {
      hint: `\`${quietGit} update-index --no-split-index\` in ${place.folder} joins them`,
    });
  }
  const hint = howToRenew(place);
  if (code === 0) {
    const entries = pieces(out).map((piece) => ({ tag: piece.slice(0, 1), path: piece.slice(2) }));
    refuseOutside(
      place,
      entries.map(({ path }) => path),
      hint,
    );
    return entries;
  }
  const why = err.trim().split("\n").at(-1);
  throw new PanewardError("wrong_state", `the index of ${place.folder} cannot be read: ${why}`, { hint });
}

/** For a person to type: it starts no program that an agent has put into the repository. */
const quietGit = "git -c core.hooksPath=/dev/null -c core.fsmonitor=false";

/** `read-tree` does not look at the old index. */
function howToRenew({ folder }: GitPlace): string {
  return `\`${quietGit} read-tree HEAD\` in ${folder} writes a new index; no file changes, and what was staged is so no longer`;
}
