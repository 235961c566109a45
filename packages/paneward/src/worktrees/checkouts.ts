import { lstat, readdir, realpath, rmdir, unlink, writeFile } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { PanewardError } from "@paneward/sdk";
import type { GitDirsRecord, TaskRecord } from "../model/records.ts";
import { checkoutAt, isFolder, oneLine, pathExists } from "./discover.ts";
import { type GitPlace, tryGit } from "./git.ts";
import { forgetGuard, type Guards, isBare } from "./guard.ts";
import { withFolder } from "./held-folders.ts";
import { commitOf } from "./move-refs.ts";
import { refuseEndlessFiles } from "./plain-files.ts";
import { rawPath } from "./raw-paths.ts";
import { removeTree } from "./remove-tree.ts";
import { requireGit } from "./run-git.ts";
import { refuseLinkedRefs } from "./written-places.ts";

/** A main checkout or a linked worktree. */
export interface Checkout extends GitPlace {
  /** Absent with a detached HEAD. */
  readonly branch: string | undefined;
}

/** A task's repository; the worktree is undefined while it does not exist. */
export interface TaskGit {
  readonly task: TaskRecord;
  readonly root: GitPlace;
  readonly worktree: GitPlace | undefined;
}

/** What Paneward recorded about a task's git directories; found again for a task that was recorded without them. */
export async function openTask(guards: Guards, task: TaskRecord): Promise<TaskGit> {
  const root = await rootOf(guards, task);
  const worktree = await worktreeOf(root, task);
  const bases = task.base === undefined ? [] : [`refs/heads/${task.base}`];
  const refs = [...bases, `refs/heads/${task.branch}`, rescueFolder(task)];
  for (const place of worktree ? [root, worktree] : [root]) {
    await refuseEndlessFiles(place, refs);
    await refuseLinkedRefs(place, refs);
  }
  return { task, root, worktree };
}

/** The refs below which the work of a removed task is kept. */
export function rescueFolder({ id, slug }: TaskRecord): string {
  return `refs/paneward/rescue/${id}-${slug}`;
}

/** Where a recorded repository is. */
export async function rootOf(
  guards: Guards,
  { root, gitDirs }: { readonly root: string; readonly gitDirs?: GitDirsRecord },
): Promise<GitPlace> {
  if (gitDirs) return { guards, folder: root, gitDir: gitDirs.root, commonDir: gitDirs.common };
  const found = await checkoutAt(root);
  if (found) return { guards, ...found };
  const missing = !(await pathExists(root));
  if (!missing) await requireGit();
  throw new PanewardError("not_found", missing ? `the folder ${root} does not exist` : `${root} has no repository`, {
    hint: missing ? "check the path" : "run `git init`, or change to a repository",
  });
}

/** All checkouts of a repository, its main one first. Bare repositories are omitted. */
export async function checkouts(root: GitPlace): Promise<readonly Checkout[]> {
  const { guards, commonDir } = root;
  const folder = await mainFolder(root);
  const main = folder === undefined ? [] : [{ guards, folder, gitDir: commonDir, commonDir, branch: undefined }];
  const all = [...main, ...(await linkedCheckouts(root))];
  return Promise.all(all.map(async (checkout) => ({ ...checkout, branch: await branchIn(checkout.gitDir) })));
}

/** Whether a folder of git's list is of exactly this worktree, whether or not that still exists. */
async function isEntryOf(gitDir: string, worktree: string): Promise<boolean> {
  return (await isFolder(gitDir)) && (await dotGitIn(gitDir)) === join(await realPath(worktree), ".git");
}

/** The checkouts of other folders that have the task's branch. */
export async function othersWithBranch({ root, task }: Pick<TaskGit, "root" | "task">): Promise<readonly Checkout[]> {
  const own = await realPath(task.worktree);
  return (await checkouts(root)).filter(({ branch, folder }) => branch === task.branch && folder !== own);
}

/** Whether the task's worktree is in git's list, whether or not its folder still exists. */
export async function isInList(opened: Pick<TaskGit, "root" | "task">): Promise<boolean> {
  return (await entriesOf(opened)).length > 0;
}

/** Removes everything from git's list that it would take for the task's worktree: an agent can add to it. */
export async function forgetEntries(opened: Pick<TaskGit, "root" | "task">): Promise<void> {
  const { commonDir, guards } = opened.root;
  for (const entry of await entriesOf(opened)) {
    await withFolder(commonDir, "worktrees", (list) => removeTree(list, rawPath(basename(entry.gitDir))));
    await forgetGuard(guards, entry);
  }
  // An entry that was only begun says nothing yet.
  const name = rawPath(basename(opened.task.worktree));
  await withFolder(commonDir, "worktrees", (list) => rmdir(list.at(name)).catch(() => {}));
  // git keeps no empty list.
  await withFolder(commonDir, "", (top) => rmdir(top.at("worktrees")).catch(() => {}));
}

/** Gives the worktree the `.git` file that belongs there. What an agent put in its place says nothing. */
export async function repairWorktree(worktree: GitPlace): Promise<void> {
  if (await isLinked(worktree)) return;
  const dotGit = join(worktree.folder, ".git");
  const stats = await lstat(dotGit).catch(() => undefined);
  if (stats?.isDirectory()) throw ownRepository(worktree.folder);
  if (stats) await unlink(dotGit);
  await writeFile(dotGit, linkTo(worktree), { flag: "wx" });
}

/** Whether an agent's own git finds the repository. */
export async function isLinked(worktree: GitPlace): Promise<boolean> {
  const line = await oneLine(join(worktree.folder, ".git")).catch(() => undefined);
  return line !== undefined && `${line}\n` === linkTo(worktree);
}

function linkTo({ gitDir }: GitPlace): string {
  return `gitdir: ${gitDir}\n`;
}

export function branchCommit(root: GitPlace, branch: string): Promise<string | undefined> {
  return commitOf(root, `refs/heads/${branch}`);
}

export async function isAncestor(root: GitPlace, older: string, newer: string): Promise<boolean> {
  return (await tryGit(root, ["merge-base", "--is-ancestor", older, newer])).code === 0;
}

/** The task's worktree, if its files and its git directory are there. Nothing in the folder itself is asked. */
async function worktreeOf(root: GitPlace, task: TaskRecord): Promise<GitPlace | undefined> {
  if (!(await isFolder(task.worktree))) return undefined;
  const gitDir = task.gitDirs?.worktree ?? (await firstEntry(root, task));
  if (gitDir === undefined || !(await pathExists(join(gitDir, "HEAD")))) return undefined;
  return { guards: root.guards, folder: task.worktree, gitDir, commonDir: root.commonDir };
}

/** git's entry of a task's worktree whose folder is gone, as a place to ask git about it. */
export async function lostPlace(root: GitPlace, task: TaskRecord): Promise<GitPlace | undefined> {
  if (await isFolder(task.worktree)) return undefined;
  const gitDir = await firstEntry(root, task);
  if (gitDir === undefined || !(await pathExists(join(gitDir, "HEAD")))) return undefined;
  return { guards: root.guards, folder: root.folder, gitDir, commonDir: root.commonDir };
}

async function entriesOf({ root, task }: Pick<TaskGit, "root" | "task">): Promise<readonly Checkout[]> {
  const own = await realPath(task.worktree);
  return (await linkedCheckouts(root)).filter(({ folder }) => folder === own);
}

async function firstEntry(root: GitPlace, task: TaskRecord): Promise<string | undefined> {
  for (const gitDir of await adminDirs(root)) if (await isEntryOf(gitDir, task.worktree)) return gitDir;
  return undefined;
}

/** The folders of git's list of worktrees. A link in their place leads elsewhere. */
async function adminDirs({ commonDir }: GitPlace): Promise<readonly string[]> {
  const list = join(commonDir, "worktrees");
  if (!(await isFolder(list))) return [];
  const entries = await readdir(list, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return names.toSorted().map((name) => join(list, name));
}

async function linkedCheckouts(root: GitPlace): Promise<readonly Checkout[]> {
  const linked = await Promise.all((await adminDirs(root)).map((gitDir) => linkedCheckout(root, gitDir)));
  return linked.filter((checkout) => checkout !== undefined);
}

async function linkedCheckout({ guards, commonDir }: GitPlace, gitDir: string): Promise<Checkout | undefined> {
  const dotGit = await dotGitIn(gitDir);
  if (dotGit === undefined) return undefined;
  // As git does it: any other name is the folder itself.
  const folder = basename(dotGit) === ".git" ? dirname(dotGit) : dotGit;
  return { guards, folder, gitDir, commonDir, branch: undefined };
}

/** Where a folder of git's list says that the `.git` of its worktree is. */
async function dotGitIn(gitDir: string): Promise<string | undefined> {
  const dotGit = await oneLine(join(gitDir, "gitdir")).catch(() => undefined);
  if (dotGit === undefined || dotGit === "") return undefined;
  return isAbsolute(dotGit) ? dotGit : resolve(gitDir, dotGit);
}

/** Only a branch by name; a commit or an interrupted rebase has none. */
export async function branchIn(gitDir: string): Promise<string | undefined> {
  const head = await oneLine(join(gitDir, "HEAD")).catch(() => undefined);
  return /^ref: refs\/heads\/(.+)$/.exec(head ?? "")?.[1];
}

/** The main checkout's folder; undefined if the repository is bare. */
async function mainFolder(root: GitPlace): Promise<string | undefined> {
  const { commonDir } = root;
  if (root.gitDir === commonDir) return root.folder;
  if (basename(commonDir) !== ".git") return undefined;
  return (await checkoutAt(dirname(commonDir)).catch(() => undefined))?.folder;
}

/** The branch of a main checkout whose folder is not known, as with `git init --separate-git-dir`. */
export async function branchOfLostMain(root: GitPlace): Promise<string | undefined> {
  if ((await mainFolder(root)) !== undefined || (await isBare(root))) return undefined;
  return branchIn(root.commonDir);
}

/** The path without symbolic links, also for a folder that no longer exists. */
async function realPath(path: string): Promise<string> {
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined || dirname(path) === path) return real ?? path;
  return join(await realPath(dirname(path)), basename(path));
}

function ownRepository(folder: string): PanewardError {
  return new PanewardError("wrong_state", `${folder} has a repository of its own in place of the task's`, {
    hint: `move ${join(folder, ".git")} elsewhere if it holds work, then try again`,
  });
}
