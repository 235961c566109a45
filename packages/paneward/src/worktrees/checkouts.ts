import { lstat, readFile, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { TaskRecord } from "../model/records.ts";
import { git, tryGit } from "./git.ts";

/** A folder in which git has something checked out. */
export interface Checkout {
  readonly folder: string;
  /** Absent with a detached HEAD. */
  readonly branch: string | undefined;
}

/** All checkouts of a repository, its main one first. A bare one is left out. */
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

/** The task's checkout as git has it in its books, whether or not the folder is still there. */
export async function checkoutOf(task: TaskRecord): Promise<Checkout | undefined> {
  const wanted = await realPath(task.worktree);
  return (await checkouts(task.root)).find(({ folder }) => folder === wanted);
}

/** Whether the task's worktree can be worked in. Reads files only. */
export async function worktreeExists(task: TaskRecord): Promise<boolean> {
  const [, books] = /^gitdir: (.+)\n?$/.exec(await readFile(join(task.worktree, ".git"), "utf8").catch(() => "")) ?? [];
  return books !== undefined && (await isThere(join(resolve(task.worktree, books), "HEAD")));
}

/** Writes the `.git` file of the task's worktree again when somebody removed it; files that lie there are work. */
export async function repairWorktree(task: TaskRecord): Promise<void> {
  if ((await worktreeExists(task)) || !(await isThere(task.worktree)) || !(await checkoutOf(task))) return;
  // With a path git looks for the missing file there; without one it goes by its books.
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

export async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

/** The path without symbolic links, also of a folder that is gone. */
async function realPath(path: string): Promise<string> {
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined || dirname(path) === path) return real ?? path;
  return join(await realPath(dirname(path)), basename(path));
}

function after(lines: readonly string[], key: string): string | undefined {
  return lines.find((line) => line.startsWith(key))?.slice(key.length);
}
