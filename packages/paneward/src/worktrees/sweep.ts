import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isRunning } from "./running-git.ts";

/**
 * Removes from the daemon's own folder what a killed daemon left and nothing refers to; returns folders that a git still
 * works in. Call before anything is begun.
 */
export async function sweep(folder: string, wanted: ReadonlySet<string>): Promise<readonly string[]> {
  const unused: string[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    if (wanted.has(path)) continue;
    if (isPrivate.test(name)) {
      unused.push(path);
    } else if (/^objects-/.test(name)) {
      for (const below of await namesIn(path)) await removeFrom(join(path, below), /^tmp_/);
    } else if (/^[0-9a-f]{24}$/.test(name)) {
      await removeFrom(path, isHalfWritten);
    }
  }
  return removeUnused(unused);
}

/** Removes those of these folders that no git works in; returns the others. */
export async function removeUnused(folders: readonly string[]): Promise<readonly string[]> {
  const left: string[] = [];
  for (const path of folders) {
    if (await isRunning(path)) left.push(path);
    else await rm(path, { recursive: true, force: true });
  }
  return left;
}

/** Indexes, copies of files, guards with a HEAD of their own, and notes that were not whole. */
const isPrivate = /^((index|files|own|config)-|unfinished-[0-9a-f]+\.new$)/;

/** A guard's configuration or HEAD before it gets its name. */
const isHalfWritten = /^(config|HEAD)\.\d+\.\d+$/;

async function removeFrom(folder: string, pattern: RegExp): Promise<void> {
  for (const name of await namesIn(folder)) {
    if (pattern.test(name)) await rm(join(folder, name), { force: true });
  }
}

/** None of a file, or of a folder that is gone. */
function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}
