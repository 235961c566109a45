import { lstat, readFile, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { TaskRecord } from "../model/records.ts";
import { git, tryGit } from "./git.ts";

/** A main checkout or a linked worktree. */
export interface Checkout {
  readonly folder: string;
  /** Absent with a detached HEAD. */
  readonly branch: string | undefined;
}

/** All checkouts of a repository, its main one first. Bare repositories are omitted. */
export async function checkouts(root: string): Promise<readonly Checkout[]> {
  const out = await git(root, ["worktree", "list", "--porcelain", "-z"]);
  return out
    .split("\0\0")
    .filter((record) => record !== "")
    .map((record) => record.split("\0"))
    .filter((lines) => !lines.includes("bare"))
    .map((lines) => ({
      folder: after(lines, "worktree ") ?? "",
      branch: after(lines, "branch ")?.replace(/^refs\/heads\//, ""),
    }));
}

/** The task's checkout as registered in git, whether or not its folder still exists. */
export async function checkoutOf(task: TaskRecord): Promise<Checkout | undefined> {
  const wanted = await realPath(task.worktree);
  return (await checkouts(task.root)).find(({ folder }) => folder === wanted);
}

/** Whether the task's worktree is usable. Only reads files. */
export async function worktreeExists(task: TaskRecord): Promise<boolean> {
  const [, gitDir] =
    /^gitdir: (.+)\n?$/.exec(await readFile(join(task.worktree, ".git"), "utf8").catch(() => "")) ?? [];
  return gitDir !== undefined && (await pathExists(join(resolve(task.worktree, gitDir), "HEAD")));
}

/** Restores the `.git` file of the task's worktree if it was removed: the files there are the task's work. */
export async function repairWorktree(task: TaskRecord): Promise<void> {
  if ((await worktreeExists(task)) || !(await pathExists(task.worktree)) || !(await checkoutOf(task))) return;
  // With a path, git would look for the missing file there; without one it uses its own registry.
  await tryGit(task.root, ["worktree", "repair"]);
}

/** The commit of a branch, by its exact name. */
export async function branchCommit(root: string, branch: string): Promise<string | undefined> {
  const { code, out } = await tryGit(root, ["show-ref", "--verify", "--hash", `refs/heads/${branch}`]);
  return code === 0 ? out.trim() : undefined;
}

export async function isAncestor(root: string, older: string, newer: string): Promise<boolean> {
  return (await tryGit(root, ["merge-base", "--is-ancestor", older, newer])).code === 0;
}

export async function pathExists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

/** The path without symbolic links, also for a folder that no longer exists. */
async function realPath(path: string): Promise<string> {
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined || dirname(path) === path) return real ?? path;
  return join(await realPath(dirname(path)), basename(path));
}

function after(lines: readonly string[], key: string): string | undefined {
  return lines.find((line) => line.startsWith(key))?.slice(key.length);
}
