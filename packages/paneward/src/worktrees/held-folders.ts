import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, mkdir, open, stat } from "node:fs/promises";
import { PanewardError } from "@paneward/sdk";
import { pathIn } from "./raw-paths.ts";

/** A folder by its handle: whatever takes the place of its path meanwhile, a name in it is a name in this folder. */
export interface HeldFolder {
  readonly path: string;
  /** The path of a name in it. Names are latin1, which keeps every byte. */
  readonly at: (name: string) => Buffer;
}

export interface HoldOptions {
  /** Makes folders that are missing. */
  readonly make?: boolean;
}

/**
 * Works in the folder `path` below `top` without following a link, also not one that an agent puts there meanwhile. The
 * result is undefined if there is no such folder. `path` is latin1; a part of it that leads out is refused: the name of a
 * branch, which others write, may become a path.
 */
export async function withFolder<Result>(
  top: string,
  path: string,
  use: (folder: HeldFolder) => Promise<Result>,
  { make = false }: HoldOptions = {},
): Promise<Result | undefined> {
  let held = await hold(top, top);
  try {
    for (const name of path.split("/").filter((part) => part !== "")) {
      const next = held && (await enter(held, name, make));
      await held?.file?.close();
      held = next;
    }
    return held && (await use(held));
  } finally {
    await held?.file?.close();
  }
}

/** Enters a folder that is directly in a held one. */
export async function withFolderIn<Result>(
  folder: HeldFolder,
  name: string,
  use: (folder: HeldFolder) => Promise<Result>,
): Promise<Result | undefined> {
  const held = await hold(folder.at(name), name);
  try {
    return held && (await use(held));
  } finally {
    await held?.file?.close();
  }
}

interface Held extends HeldFolder {
  readonly file: FileHandle | undefined;
  readonly shown: string;
}

async function enter(above: Held, name: string, make: boolean): Promise<Held | undefined> {
  const shown = `${above.shown}/${name}`;
  if (name === "." || name === "..") throw leadsOut(shown);
  const found = await hold(above.at(name), shown);
  if (found || !make) return found;
  // A repository that several users share gives its folders this mode.
  await mkdir(above.at(name), { mode: (await stat(above.path)).mode & 0o7777 }).catch(existingIsFine);
  return hold(above.at(name), shown);
}

// Node has no openat(2); on Linux a path through the handle does the same. Elsewhere there is only a look before.
const byHandle = process.platform === "linux";

async function hold(path: string | Buffer, shown: string): Promise<Held | undefined> {
  if (!byHandle) {
    const stats = await lstat(path).catch(missingIsUndefined);
    if (stats && !stats.isDirectory()) throw new NotAFolder(shown, stats);
    return stats && heldAs(String(path), shown, undefined);
  }
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  const file = await open(path, flags).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === "ENOTDIR" || error.code === "ELOOP") throw new NotAFolder(shown, await lstat(path));
    return missingIsUndefined(error);
  });
  return file && heldAs(`/proc/self/fd/${file.fd}`, shown, file);
}

function heldAs(path: string, shown: string, file: FileHandle | undefined): Held {
  return { path, shown, file, at: (name) => pathIn(path, name) };
}

/** Something else is in the place of a folder. */
export class NotAFolder extends PanewardError {
  constructor(path: string, stats: Stats) {
    const what = stats.isSymbolicLink() ? "a link, through which git would write elsewhere" : "not a folder";
    super("wrong_state", `${path} is ${what}`, {
      hint: "look at it, and replace it by what it leads to, or remove it",
    });
  }
}

function leadsOut(path: string): PanewardError {
  return new PanewardError("wrong_state", `${path} leads out of its folder; nothing was written`, {
    hint: "some name in the repository is not what git would write: `git fsck` and `git worktree list` show more",
  });
}

function missingIsUndefined(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

function existingIsFine(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}
