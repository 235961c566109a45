import { join } from "node:path";
import type { WorkAmount } from "@paneward/sdk";
import { openForeign } from "@paneward/sdk/node/files";
import type { TaskRecord } from "../model/records.ts";
import type { TaskGit } from "./checkouts.ts";
import { countIn, type GitPlace, git, pieces, tryGit } from "./git.ts";
import { withIndexCopy } from "./own-index.ts";
import { plainDiff } from "./plain-diff.ts";

/** How much a task has done: uncommitted lines, and commits that its base does not have. */
export async function work({ task, worktree }: TaskGit): Promise<WorkAmount | undefined> {
  if (!worktree) return undefined;
  const [tracked, untracked, ahead] = await withIndexCopy(worktree, (env) =>
    Promise.all([
      git(worktree, ["diff", "HEAD", "--numstat", "-z", "--no-renames", ...plainDiff], { env }),
      git(worktree, ["ls-files", "--others", "--exclude-standard", "-z"], { env }),
      commitsAhead(worktree, task),
    ]),
  );
  const lines = pieces(tracked).map((row) => row.split("\t"));
  return {
    added: sum(lines.map(([added]) => Number(added) || 0)) + (await linesIn(worktree.folder, pieces(untracked))),
    removed: sum(lines.map(([, removed]) => Number(removed) || 0)),
    ahead,
  };
}

async function commitsAhead(worktree: GitPlace, task: TaskRecord): Promise<number> {
  const begins = task.baseCommit === undefined ? [] : [`^${task.baseCommit}`];
  const count = ["rev-list", "--count", "HEAD", ...begins];
  if (task.base !== undefined) {
    const { code, out } = await tryGit(worktree, [...count, `^refs/heads/${task.base}`]);
    if (code === 0) return countIn(worktree, count, out);
  }
  return begins.length === 0 ? 0 : countIn(worktree, count, await git(worktree, count));
}

/** Runs often, so only the first 16 MB of untracked files are counted. */
const maxBytes = 16 * 1024 * 1024;

async function linesIn(worktree: string, paths: readonly string[]): Promise<number> {
  let left = maxBytes;
  let lines = 0;
  for (const path of paths) {
    if (left <= 0) break;
    const bytes = await firstBytes(worktree, path, left);
    left -= bytes.length;
    lines += countLines(bytes);
  }
  return lines;
}

async function firstBytes(worktree: string, path: string, max: number): Promise<Buffer> {
  const file = await openForeign(join(worktree, path), { below: worktree }).catch(() => undefined);
  if (!file) return Buffer.alloc(0);
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, max)), 0);
    return buffer.subarray(0, bytesRead);
  } catch {
    // A file that was removed meanwhile.
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
