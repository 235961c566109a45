import { open, rmdir, symlink, unlink } from "node:fs/promises";
import { PanewardError } from "@paneward/sdk";
import type { GitDirsRecord, Rescue, TaskRecord } from "../model/records.ts";
import { readBlobs } from "./blobs.ts";
import { changes, readable } from "./changes.ts";
import { branchCommit, type TaskGit } from "./checkouts.ts";
import { addWorktree, recordOf } from "./create.ts";
import { type GitPlace, git } from "./git.ts";
import { refuseOutside } from "./inside.ts";
import { foldersAbove, hasFoldersAbove, makeFoldersAbove } from "./plain-folders.ts";
import { pathIn } from "./raw-paths.ts";
import { remove } from "./remove.ts";

/** Restores branch, worktree and files; returns where git keeps them. Staged changes may come back unstaged. */
export async function restore(opened: TaskGit, rescue: Rescue | undefined): Promise<GitDirsRecord> {
  const { task, root } = opened;
  const head = rescue?.head ?? task.baseCommit;
  if (head === undefined) throw nothingKept(task);
  await refuseOtherWork(opened, head);
  const worktree = opened.worktree ?? (await addWorktree(opened, head));
  if (rescue?.files === undefined) return recordOf(root, worktree);
  try {
    await putFiles(worktree, head, rescue.files);
    return recordOf(root, worktree);
  } catch (cause) {
    if (!opened.worktree) await remove(opened);
    throw cause;
  }
}

/** An interrupted restore may be repeated; any other work must not be overwritten. */
async function refuseOtherWork({ task, root, worktree }: TaskGit, head: string): Promise<void> {
  const branch = await branchCommit(root, task.branch);
  const moved = branch !== undefined && branch !== head;
  const dirty = worktree !== undefined && (await changes(worktree)).length > 0;
  if (!moved && !dirty) return;
  const where = moved ? task.branch : task.worktree;
  throw new PanewardError("wrong_state", `task ${task.id} cannot be restored: ${where} has newer work`, {
    hint: `\`paneward rm ${task.id}\` saves that work and removes it`,
  });
}

interface Difference {
  readonly path: string;
  readonly mode: string;
  readonly id: string;
}

// A checkout would apply the user's filters again; this writes the exact bytes. An agent can write the repository's
// objects, so the paths are looked at before anything is changed.
async function putFiles(worktree: GitPlace, head: string, files: string): Promise<void> {
  const differences = await differencesBetween(worktree, head, files);
  refuseOutside(
    worktree,
    differences.map(({ path }) => path),
  );
  for (const { path } of differences) await clear(worktree.folder, path);
  const wanted = differences.filter(({ mode }) => mode.startsWith("1") && mode !== "160000");
  const perPath = wanted.values();
  await readBlobs(
    worktree,
    wanted.map(({ id }) => id),
    async (content) => {
      const next = perPath.next().value;
      if (next) await put(worktree.folder, next, content);
    },
  );
}

async function differencesBetween(worktree: GitPlace, head: string, files: string): Promise<readonly Difference[]> {
  const args = ["diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", head, files];
  const fields = (await git(worktree, args, { encoding: "latin1" })).split("\0");
  return fields.flatMap((path, index) => {
    const [, mode = "", , id = ""] = fields[index - 1]?.split(" ") ?? [];
    return index % 2 === 1 ? [{ path, mode, id }] : [];
  });
}

/** Removes a file and folders that become empty: a file may have to take their place. */
async function clear(worktree: string, path: string): Promise<void> {
  if (!(await hasFoldersAbove(worktree, path)) || !(await succeeds(unlink(pathIn(worktree, path))))) return;
  for (const folder of foldersAbove(path)) if (!(await succeeds(rmdir(pathIn(worktree, folder))))) return;
}

async function put(worktree: string, { path, mode }: Difference, content: AsyncIterable<Buffer>): Promise<void> {
  if (!(await makeFoldersAbove(worktree, path))) throw inTheWay(worktree, path);
  const at = pathIn(worktree, path);
  if (mode === "120000") return symlink(await wholeOf(content), at);
  const file = await open(at, "wx", mode === "100755" ? 0o777 : 0o666);
  try {
    for await (const bytes of content) await file.writeFile(bytes);
  } finally {
    await file.close();
  }
}

async function wholeOf(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of content) parts.push(part);
  return Buffer.concat(parts);
}

function succeeds(attempt: Promise<void>): Promise<boolean> {
  return attempt.then(
    () => true,
    () => false,
  );
}

function inTheWay(worktree: string, path: string): PanewardError {
  const message = `${readable(path)} cannot be restored: a link or a file is in the way of its folder in ${worktree}`;
  return new PanewardError("wrong_state", message, { hint: "look at it, and move it elsewhere; then undo again" });
}

function nothingKept(task: TaskRecord): PanewardError {
  return new PanewardError("wrong_state", `nothing was saved of task ${task.id}`, {
    hint: `\`paneward start ${task.id}\` starts it again`,
  });
}
