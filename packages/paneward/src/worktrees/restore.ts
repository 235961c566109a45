import { open, symlink } from "node:fs/promises";
import { PanewardError } from "@paneward/sdk";
import type { GitDirsRecord, Kept, TaskRecord } from "../model/records.ts";
import { readBlobs } from "./blobs.ts";
import { allChanges } from "./changes.ts";
import { branchCommit, type TaskGit } from "./checkouts.ts";
import { addWorktree, fill, recordOf } from "./create.ts";
import { type Difference, differencesBetween, isWritten } from "./differences.ts";
import type { GitPlace } from "./git.ts";
import { isBeingAdded } from "./list.ts";
import { remove } from "./remove.ts";
import { clearFile, inFolderOf } from "./worktree-files.ts";

/** Restores branch, worktree and files; returns where git keeps them. Staged changes may come back unstaged. */
export async function restore(opened: TaskGit, rescue: Kept | undefined, onBegin?: () => void): Promise<GitDirsRecord> {
  const { task, root } = opened;
  const head = rescue?.head ?? task.baseCommit;
  if (head === undefined) throw nothingKept(task);
  await refuseOtherWork(opened, head);
  onBegin?.();
  if (opened.worktree && (await isBeingAdded(opened.worktree))) await fill(opened.worktree, head);
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
  const isFilled = worktree !== undefined && !(await isBeingAdded(worktree));
  const dirty = isFilled && (await allChanges(worktree)).length > 0;
  if (!moved && !dirty) return;
  const where = moved ? task.branch : task.worktree;
  throw new PanewardError("wrong_state", `task ${task.id} cannot be restored: ${where} has newer work`, {
    hint: `\`paneward rm ${task.id}\` saves that work and removes it`,
  });
}

// A checkout would apply the user's filters again; this writes the exact bytes.
async function putFiles(worktree: GitPlace, head: string, files: string): Promise<void> {
  const differences = await differencesBetween(worktree, head, files);
  for (const { path } of differences) await clearFile(worktree.folder, path);
  const wanted = differences.filter(isWritten);
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

async function put(worktree: string, { path, mode }: Difference, content: AsyncIterable<Buffer>): Promise<void> {
  await inFolderOf(worktree, path, async (folder, name) => {
    if (mode === "120000") return symlink(await wholeOf(content), folder.at(name));
    const file = await open(folder.at(name), "wx", mode === "100755" ? 0o777 : 0o666);
    try {
      for await (const bytes of content) await file.writeFile(bytes);
    } finally {
      await file.close();
    }
  });
}

async function wholeOf(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of content) parts.push(part);
  return Buffer.concat(parts);
}

function nothingKept(task: TaskRecord): PanewardError {
  return new PanewardError("wrong_state", `nothing was saved of task ${task.id}`, {
    hint: `\`paneward start ${task.id}\` starts it again`,
  });
}
