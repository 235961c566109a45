import { type GitPlace, git, pieces } from "./git.ts";
import { refuseOutside } from "./inside.ts";
import { withHonestIndex, withIndexCopy } from "./own-index.ts";
import { plainDiff } from "./plain-diff.ts";
import { dirtySubmodules } from "./submodules.ts";

/** A path that differs from HEAD. Paths are decoded as latin1, which keeps every byte. */
export interface Change {
  readonly path: string;
  /** What is in the worktree now; `unknown` for an untracked file. */
  readonly now: "file" | "executable" | "link" | "nothing" | "unknown" | "repository";
  /** Something else is staged than what is in the worktree. */
  readonly isStagedOnly?: boolean;
}

/** Everything uncommitted in a worktree that git does not ignore. */
export function changes(worktree: GitPlace): Promise<readonly Change[]> {
  return changesIn(worktree, withIndexCopy);
}

/** The same, with changes of files that the index says not to look at. */
export function allChanges(worktree: GitPlace): Promise<readonly Change[]> {
  return changesIn(worktree, withHonestIndex);
}

/** Files that are not as the index has them, whether or not it says to look at them; as latin1. */
export async function changedPaths(worktree: GitPlace): Promise<readonly string[]> {
  const args = ["diff-files", ...plainDiff, "--no-renames", "--name-only", "-z"];
  return pieces(await withHonestIndex(worktree, (env) => git(worktree, args, { env, encoding: "latin1" })));
}

async function changesIn(worktree: GitPlace, withIndex: typeof withIndexCopy): Promise<readonly Change[]> {
  const args = ["status", "--porcelain=v2", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=dirty"];
  const out = await withIndex(worktree, (env) => git(worktree, args, { env, encoding: "latin1" }));
  const found = out
    .split("\0")
    .filter((line) => line !== "")
    .map(changeOf);
  refuseOutside(
    worktree,
    found.map(({ path }) => path),
  );
  // git would run in the submodule and believe its `.git`.
  const dirty = (await dirtySubmodules(worktree)).filter((path) => !found.some((change) => change.path === path));
  return [...found, ...dirty.map((path) => ({ path, now: "repository" as const }))];
}

/** The path as UTF-8, for messages. */
export function readable(path: string): string {
  return Buffer.from(path, "latin1").toString("utf8");
}

/** A few paths for a message. */
export function someOf(paths: readonly string[]): string {
  const shown = paths.slice(0, 5).join(", ");
  return paths.length > 5 ? `${shown} and ${paths.length - 5} more` : shown;
}

// 1 XY sub mH mI mW hH hI path        u XY sub m1 m2 m3 mW h1 h2 h3 path        ? path
function changeOf(line: string): Change {
  if (line.startsWith("? ")) {
    const path = line.slice(2);
    return path.endsWith("/") ? { path: path.slice(0, -1), now: "repository" } : { path, now: "unknown" };
  }
  const before = line.startsWith("u ") ? 10 : 8;
  const fields = line.split(" ", before);
  const path = line.slice(fields.join(" ").length + 1);
  if (fields[2]?.startsWith("S")) return { path, now: "repository" };
  const isStagedOnly = line.startsWith("1 ") && !fields[1]?.includes(".");
  return { path, now: kinds[fields[line.startsWith("u ") ? 6 : 5] ?? ""] ?? "nothing", isStagedOnly };
}

const kinds: Readonly<Record<string, Change["now"]>> = {
  "100644": "file",
  "100755": "executable",
  "120000": "link",
  "160000": "repository",
  "000000": "nothing",
};
