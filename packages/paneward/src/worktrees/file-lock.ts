import { type FileHandle, open, rename, unlink } from "node:fs/promises";
import { PanewardError } from "@paneward/sdk";
import type { HeldFolder } from "./held-folders.ts";

/** Replaces the locked file by these bytes. */
export type Put = (bytes: string | Buffer) => Promise<void>;

/** Locks a file of a repository as git does it, so that every other git waits its turn. Follows no link. */
export async function withFileLock<Result>(
  folder: HeldFolder,
  name: string,
  what: string,
  use: (put: Put) => Promise<Result>,
): Promise<Result> {
  const path = folder.at(`${name}.lock`);
  const file = await lockFile(path, what);
  let isReplaced = false;
  try {
    return await use(async (bytes) => {
      await file.writeFile(bytes);
      await file.sync();
      await rename(path, folder.at(name));
      isReplaced = true;
    });
  } finally {
    await file.close();
    if (!isReplaced) await unlink(path).catch(() => {});
  }
}

async function lockFile(path: Buffer, what: string): Promise<FileHandle> {
  try {
    return await open(path, "wx", 0o666);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause;
    throw new PanewardError("unavailable", `another git command is changing ${what}`, {
      cause,
      hint: `try again; if no git is running there, remove ${what}.lock`,
    });
  }
}
