import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { PanewardError } from "@paneward/sdk";
import { readForeign } from "@paneward/sdk/node/files";
import type { TaskRecord } from "../model/records.ts";
import { isFolder, pathExists } from "./discover.ts";
import { type GitPlace, git, pieces } from "./git.ts";
import { withIndexCopy } from "./own-index.ts";
import { plainEnvironment, runGit } from "./run-git.ts";
import { type ConfigEntry, parseConfig } from "./safe-config.ts";

/**
 * Submodules of a worktree that have no files. Paneward fetches none: where one comes from, and the git directory that a
 * submodule's own git would believe, are the agent's to write.
 */
export async function emptySubmodules(worktree: GitPlace): Promise<readonly string[]> {
  if (!(await pathExists(join(worktree.folder, ".gitmodules")))) return [];
  const listed = await git(worktree, ["ls-tree", "-r", "-z", "HEAD"], { encoding: "latin1" });
  const paths = pieces(listed).flatMap((line) => /^160000 commit \S+\t(.+)$/s.exec(line)?.[1] ?? []);
  const filled = await Promise.all(paths.map((path) => pathExists(join(worktree.folder, readable(path), ".git"))));
  return paths.filter((_, index) => !filled[index]).map(readable);
}

/** Removing a worktree removes its submodules' repositories too, with every commit that was never pushed. */
export async function refuseUnpushedSubmodules(worktree: GitPlace, task: TaskRecord): Promise<void> {
  const unpushed: string[] = [];
  for (const { path, place } of await submodules(worktree)) {
    if (place === undefined) continue;
    const out = await git(place, ["rev-list", "--max-count=1", "HEAD", "--not", "--remotes"]);
    if (out.trim() !== "") unpushed.push(readable(path));
  }
  if (unpushed.length === 0) return;
  throw new PanewardError("wrong_state", `submodules have unpushed commits: ${unpushed.join(", ")}`, {
    hint: `push them, or discard them with \`git submodule deinit --force PATH\` in ${task.worktree}`,
  });
}

/** Submodules that contain changed files or a repository of their own. Paths are latin1. */
export async function dirtySubmodules(worktree: GitPlace): Promise<readonly string[]> {
  const dirty: string[] = [];
  for (const { path, place } of await submodules(worktree)) {
    const args = ["status", "--porcelain=v2", "-z", "--untracked-files=all", "--ignore-submodules=dirty"];
    if (place === undefined || (await withIndexCopy(place, (env) => git(place, args, { env }))) !== "")
      dirty.push(path);
  }
  return dirty;
}

interface Submodule {
  /** Below the worktree, as latin1. */
  readonly path: string;
  /** Undefined if the folder holds a repository that is not the worktree's own. */
  readonly place: GitPlace | undefined;
}

/** The submodules that are checked out, nested ones too, each at the git directory that belongs to the worktree. */
async function submodules(worktree: GitPlace, below = ""): Promise<readonly Submodule[]> {
  const list = ["ls-files", "--stage", "-z"];
  const listed = await withIndexCopy(worktree, (env) => git(worktree, list, { env, encoding: "latin1" }));
  const paths = listed.split("\0").flatMap((line) => /^160000 \S+ \d\t(.+)$/s.exec(line)?.[1] ?? []);
  if (paths.length === 0) return [];
  const named = namesByPath(await entriesOf(worktree.folder));
  const found: Submodule[] = [];
  for (const path of new Set(paths)) {
    const folder = join(worktree.folder, readable(path));
    if (!(await isFolder(folder)) || !(await pathExists(join(folder, ".git")))) continue;
    const gitDir = join(worktree.gitDir, "modules", named.get(readable(path)) ?? readable(path));
    const own = (await isPlainFile(join(folder, ".git"))) && (await pathExists(join(gitDir, "HEAD")));
    const place = own ? { guards: worktree.guards, folder, gitDir, commonDir: gitDir } : undefined;
    found.push({ path: `${below}${path}`, place });
    if (place) found.push(...(await submodules(place, `${below}${path}/`)));
  }
  return found;
}

async function isPlainFile(path: string): Promise<boolean> {
  return (await lstat(path)).isFile();
}

/** A name becomes part of a path, so it may not leave its folder; git refuses such names as well. */
function namesByPath(entries: readonly ConfigEntry[]): ReadonlyMap<string, string> {
  return new Map(
    entries.flatMap(({ key, value }) => {
      const [, name] = /^submodule\.(.+)\.path$/s.exec(key) ?? [];
      return name === undefined || value === undefined || name.split("/").includes("..")
        ? []
        : [[value, name] as const];
    }),
  );
}

/** What `.gitmodules` of a checkout says. */
async function entriesOf(folder: string): Promise<readonly ConfigEntry[]> {
  const text = await readForeign(join(folder, ".gitmodules"), { maxBytes: 1024 * 1024 });
  if (text === undefined) return [];
  const args = ["config", "--file", "-", "--no-includes", "--list", "--null"];
  const { code, out } = await runGit(args, { cwd: "/", env: plainEnvironment(), input: text.toString("utf8") });
  return code === 0 ? parseConfig(out) : [];
}

function readable(path: string): string {
  return Buffer.from(path, "latin1").toString("utf8");
}
