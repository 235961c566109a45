import { glob, lstat, readdir, realpath } from "node:fs/promises";
import { isAbsolute, join, matchesGlob, normalize, relative, sep } from "node:path";
import { PanewardError } from "@paneward/sdk";
import type { BootstrapOptions } from "../runtime/ports.ts";
import { copyInto, type Target } from "./copy.ts";
import { type GitPlace, git, pieces, tryGit } from "./git.ts";
import { withIndexCopy } from "./own-index.ts";
import { requireSimpleGlob } from "./simple-glob.ts";

type Globs = Pick<BootstrapOptions, "include" | "exclude">;

/** Copies files that git does not track from the root into the worktree; returns the copied paths. */
export async function copyFiles(
  from: GitPlace,
  into: GitPlace,
  globs: Globs,
  onCopied: (path: string) => void,
): Promise<readonly string[]> {
  for (const pattern of [...globs.include, ...globs.exclude]) requireSimpleGlob(pattern);
  const root = await realpath(from.folder);
  const worktree = await realpath(into.folder);
  const tracked = new Set(pieces(await withIndexCopy(into, (env) => git(into, ["ls-files", "-z"], { env }))));
  const target: Target = {
    root,
    worktree,
    isWanted: (path) => !tracked.has(path) && !isOffLimits(path, relative(root, worktree)) && !isExcluded(path, globs),
  };
  const copied: string[] = [];
  for (const path of new Set([...(await ignoredFiles(from, root)), ...(await included(root, globs))])) {
    if ((await copyInto(target, path)) === 0) continue;
    copied.push(path);
    onCopied(path);
  }
  return copied;
}

const maxIgnoredBytes = 10 * 1024 * 1024;

/** Small ignored files in the root folder itself, such as `.env`. */
async function ignoredFiles(from: GitPlace, root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  const { out } = await withIndexCopy(from, (env) =>
    tryGit(from, ["check-ignore", "-z", "--stdin"], { env, input: names.join("\0") }),
  );
  const small = await Promise.all(
    pieces(out).map(async (name) => (await lstat(join(root, name))).size <= maxIgnoredBytes),
  );
  return pieces(out).filter((_, index) => small[index]);
}

async function included(root: string, { include }: Globs): Promise<readonly string[]> {
  const found: string[] = [];
  for (const pattern of include) {
    refuseOutside(pattern, pattern);
    for await (const match of glob(pattern, { cwd: root })) {
      const path = normalize(match).replace(/\/$/, "");
      refuseOutside(path, pattern);
      if (await isBelow(root, path)) found.push(path === "." ? "" : path);
    }
  }
  return found;
}

function refuseOutside(path: string, pattern: string): void {
  if (!isAbsolute(path) && !path.split(sep).includes("..")) return;
  throw new PanewardError("bad_input", `bootstrap.include may not leave the repository: ${pattern}`, {
    hint: "name files relative to the top folder of the repository, without `..`",
  });
}

/** A parent folder may be a link to outside the root. */
async function isBelow(root: string, path: string): Promise<boolean> {
  const folder = await realpath(join(root, path, ".."));
  return path === "." || folder === root || folder.startsWith(root + sep);
}

function isOffLimits(path: string, worktree: string): boolean {
  if (path.split(sep).includes(".git")) return true;
  return [join(".paneward", "worktrees"), worktree].some((folder) => path === folder || path.startsWith(folder + sep));
}

/** The contents of an excluded folder are excluded too. */
function isExcluded(path: string, { exclude }: Globs): boolean {
  const parts = path.split(sep);
  const above = parts.map((_, index) => parts.slice(0, index + 1).join(sep));
  return exclude.some((pattern) => above.some((folder) => matchesGlob(folder, pattern.replace(/\/$/, ""))));
}
