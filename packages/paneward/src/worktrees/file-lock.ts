import type { Stats } from "node:fs";
import { type FileHandle, link, lstat, open, rename, unlink } from "node:fs/promises";
import { PanewardError } from "@paneward/sdk";
import type { Guards } from "./guard.ts";
import type { HeldFolder } from "./held-folders.ts";
import { newToken, noteUnfinished, type Then, type Unfinished } from "./unfinished.ts";

/** Replaces the locked file by these bytes. */
export type Put = (bytes: string | Buffer) => Promise<void>;

export interface Locked {
  readonly put: Put;
  /** What the next daemon does if this one is killed from here on; without this it only unlocks. */
  readonly ifKilled: (then: Then) => Promise<void>;
}

/** A file in a held folder of a repository. */
export interface LockedFile extends Pick<Unfinished, "commonDir" | "below" | "name"> {
  readonly guards: Pick<Guards, "folder">;
}

/**
 * Locks a file of a repository as git does it, so that every other git waits its turn. Follows no link. The lock has a
 * second name, by which the next daemon knows it if this one is killed; and that is noted before there is a lock.
 */
export async function withFileLock<Result>(
  folder: HeldFolder,
  { guards, commonDir, below, name }: LockedFile,
  use: (locked: Locked) => Promise<Result>,
): Promise<Result> {
  const token = newToken();
  const note = await noteUnfinished(guards, { commonDir, below, name, token });
  try {
    return await withLock(folder, name, token, shown(commonDir, below, name), (put) =>
      use({ put, ifKilled: note.change }),
    );
  } finally {
    await note.remove();
  }
}

async function withLock<Result>(
  folder: HeldFolder,
  name: string,
  token: string,
  what: string,
  use: (put: Put) => Promise<Result>,
): Promise<Result> {
  const path = folder.at(lockName(name));
  const file = await lockFile(path, folder.at(ownName(token)), what);
  let isReplaced = false;
  try {
    return await use(async (bytes) => {
      await file.writeFile(bytes);
      await file.sync();
      await rename(path, folder.at(name));
      isReplaced = true;
    });
  } finally {
    // Somebody may have removed our lock by hand and taken one since.
    const isOurs = !isReplaced && isSame(await statsOf(path), await file.stat());
    await file.close();
    if (isOurs) await unlink(path).catch(() => {});
    await unlink(folder.at(ownName(token))).catch(() => {});
  }
}

/**
 * Works under a lock that a killed daemon left, and unlocks; if the lock is not that one any more, it is left alone.
 * Nothing is written into files that were there: an agent may have given another file the names of our lock.
 */
export async function withLeftLock(
  folder: HeldFolder,
  { name, token }: Unfinished,
  use: (put: Put) => Promise<void>,
): Promise<boolean> {
  const [own, next] = [folder.at(ownName(token)), folder.at(ownName(`${token}-next`))];
  await unlink(next).catch(missingIsFine);
  const mark = await statsOf(own);
  const isOurs = mark !== undefined && isSame(await statsOf(folder.at(lockName(name))), mark);
  if (isOurs) {
    await use(async (bytes) => {
      const file = await open(next, "wx", mark.mode & 0o777);
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(next, folder.at(name));
    });
    await unlink(folder.at(lockName(name)));
  }
  await unlink(own).catch(missingIsFine);
  return isOurs;
}

function lockName(name: string): string {
  return `${name}.lock`;
}

/** Among refs, git looks at no file whose name ends like this. */
function ownName(token: string): string {
  return `paneward-${token}.lock`;
}

/** What the lock of a noted file is called in messages. */
export function lockOf({ commonDir, below, name }: Pick<Unfinished, "commonDir" | "below" | "name">): string {
  return lockName(shown(commonDir, below, name));
}

function shown(commonDir: string, below: string, name: string): string {
  const path = Buffer.from(below === "" ? name : `${below}/${name}`, "latin1").toString("utf8");
  return `${commonDir}/${path}`;
}

async function lockFile(path: Buffer, own: Buffer, what: string): Promise<FileHandle> {
  const file = await open(own, "wx", 0o666);
  const failed = await link(own, path).then(
    () => undefined,
    (cause: NodeJS.ErrnoException) => cause,
  );
  if (!failed) return file;
  await file.close();
  await unlink(own).catch(() => {});
  if (failed.code === "EEXIST") throw busy(what, failed);
  // A disk without hard links: a killed daemon leaves the lock, and the message names it.
  return open(path, "wx", 0o666).catch((cause: NodeJS.ErrnoException) => {
    throw cause.code === "EEXIST" ? busy(what, cause) : cause;
  });
}

function busy(what: string, cause: Error): PanewardError {
  return new PanewardError("unavailable", `another git command is changing ${what}`, {
    cause,
    hint: `try again; if no git is running there, remove ${what}.lock`,
  });
}

function isSame(one: Stats | undefined, other: Stats): boolean {
  return one !== undefined && one.dev === other.dev && one.ino === other.ino;
}

async function statsOf(path: Buffer): Promise<Stats | undefined> {
  return lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return undefined;
  });
}

function missingIsFine(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}
