import { type GitPlace, git } from "./git.ts";
import { refuseOutside } from "./inside.ts";
import { withIndexCopy } from "./own-index.ts";
import { dirtySubmodules } from "./submodules.ts";

/** A path that differs from HEAD. Paths are decoded as latin1, which keeps every byte. */
export interface Change {
  readonly path: string;
  /** What is in the worktree now; `unknown` for an untracked file. */
  readonly now: "file" | "executable" | "link" | "nothing" | "unknown" | "repository";
}

/** Everything uncommitted in a worktree that git does not ignore. */
export async function changes(worktree: GitPlace): Promise<readonly Change[]> {
  const args = ["status", "--porcelain=v2", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=dirty"];
  const out = await withIndexCopy(worktree, (env) => git(worktree, args, { env, encoding: "latin1" }));
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
  return { path, now: kinds[fields[line.startsWith("u ") ? 6 : 5] ?? ""] ?? "nothing" };
}

const kinds: Readonly<Record<string, Change["now"]>> = {
  "100644": "file",
  "100755": "executable",
  "120000": "link",
  "160000": "repository",
  "000000": "nothing",
};
