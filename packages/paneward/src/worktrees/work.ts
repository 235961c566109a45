import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { WorkAmount } from "@paneward/sdk";
import type { TaskRecord } from "../model/records.ts";
import { worktreeExists } from "./checkouts.ts";
import { git, pieces, tryGit } from "./git.ts";

/** How much a task has done: uncommitted lines, and commits that its base does not have. */
export async function work(task: TaskRecord): Promise<WorkAmount | undefined> {
  if (!(await worktreeExists(task))) return undefined;
  const [tracked, untracked, ahead] = await Promise.all([
    git(task.worktree, [
      "diff",
      "HEAD",
      "--numstat",
      "-z",
      "--no-renames",
      "--no-ext-diff",
      "--ignore-submodules=dirty",
    ]),
    git(task.worktree, ["ls-files", "--others", "--exclude-standard", "-z"]),
    commitsAhead(task),
  ]);
  const lines = pieces(tracked).map((row) => row.split("\t"));
  return {
    added: sum(lines.map(([added]) => Number(added) || 0)) + (await linesIn(task.worktree, pieces(untracked))),
    removed: sum(lines.map(([, removed]) => Number(removed) || 0)),
    ahead,
  };
}

async function commitsAhead(task: TaskRecord): Promise<number> {
  const begins = task.baseCommit === undefined ? [] : [`^${task.baseCommit}`];
  const count = ["rev-list", "--count", "HEAD", ...begins];
  if (task.base !== undefined) {
    const { code, out } = await tryGit(task.worktree, [...count, `^refs/heads/${task.base}`]);
    if (code === 0) return Number(out);
  }
  return begins.length === 0 ? 0 : Number(await git(task.worktree, count));
}

/** Runs often, so only the first 16 MB of untracked files are counted. */
const maxBytes = 16 * 1024 * 1024;

async function linesIn(worktree: string, paths: readonly string[]): Promise<number> {
  let left = maxBytes;
  let lines = 0;
  for (const path of paths) {
    if (left <= 0) break;
    const bytes = await firstBytes(join(worktree, path), left);
    left -= bytes.length;
    lines += countLines(bytes);
  }
  return lines;
}

async function firstBytes(path: string, max: number): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => undefined);
  if (!file) return Buffer.alloc(0);
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, max)), 0);
    return buffer.subarray(0, bytesRead);
  } catch {
    // A folder, or a file that was removed meanwhile.
    return Buffer.alloc(0);
  } finally {
    await file.close();
  }
}

/** Counts like git: none in a binary file; a last line without a line break counts. */
function countLines(bytes: Buffer): number {
  if (bytes.length === 0 || bytes.subarray(0, 8_000).includes(0)) return 0;
  let lines = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines++;
  return bytes.at(-1) === 10 ? lines : lines + 1;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
