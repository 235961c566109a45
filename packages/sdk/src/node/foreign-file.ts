import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { type FileHandle, lstat, open, realpath, stat } from "node:fs/promises";
import { dirname, sep } from "node:path";
import { PanewardError } from "../errors.ts";

export interface ForeignOptions {
  readonly maxBytes: number;
  /** Follows links, for files of the user's own: many keep them in a repository of dotfiles. */
  readonly followLinks?: boolean;
  /** The folder that the file must be in, links of its folders resolved. */
  readonly below?: string;
}

/**
 * Opens a file that somebody else wrote: an agent, a cloned repository, a program. Refuses what is not a plain file:
 * opening a FIFO waits for ever, reading a device does too, and a link may name any file of the user.
 */
export async function openForeign(
  given: string | Buffer,
  options: Omit<ForeignOptions, "maxBytes"> = {},
): Promise<FileHandle> {
  return (await openPlain(given, options)).file;
}

async function openPlain(
  given: string | Buffer,
  options: Omit<ForeignOptions, "maxBytes">,
): Promise<{ readonly file: FileHandle; readonly stats: Stats }> {
  // A name need not be UTF-8; such a path is only readable in messages.
  const path = String(given);
  if (options.below !== undefined) requireBelow(path, await realpath(dirname(path)), await realpath(options.below));
  // Looked at before it is opened: opening a device alone can have an effect.
  requirePlain(path, await (options.followLinks ? stat(given) : lstat(given)));
  const file = await open(given, flagsOf(options)).catch((error: unknown) => {
    throw translated(path, error);
  });
  try {
    const stats = await file.stat();
    requirePlain(path, stats);
    return { file, stats };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The bytes of a foreign file; undefined when there is none. */
export async function readForeign(path: string | Buffer, options: ForeignOptions): Promise<Buffer | undefined> {
  const opened = await openPlain(path, options).catch(missingIsUndefined);
  if (!opened) return undefined;
  const { file, stats } = opened;
  try {
    requireSize(String(path), stats.size, options.maxBytes);
    const parts: Buffer[] = [];
    for (let read = 0; ; ) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(pieceSize), 0, pieceSize, read);
      parts.push(buffer.subarray(0, bytesRead));
      read += bytesRead;
      requireSize(String(path), read, options.maxBytes);
      // Each read is another turn of a busy event loop: a short one behind the expected size is the end.
      if (bytesRead === 0 || (bytesRead < pieceSize && read >= stats.size)) return Buffer.concat(parts);
    }
  } finally {
    await file.close();
  }
}

/** Like `readForeign`, for small files that are read often. */
export function readForeignSync(path: string, options: ForeignOptions): Buffer | undefined {
  let file: number | undefined;
  try {
    if (options.below !== undefined) requireBelow(path, realpathSync(dirname(path)), realpathSync(options.below));
    requirePlain(path, options.followLinks ? statSync(path) : lstatSync(path));
    file = openSync(path, flagsOf(options));
    const stats = fstatSync(file);
    requirePlain(path, stats);
    requireSize(path, stats.size, options.maxBytes);
    const parts: Buffer[] = [];
    for (let read = 0; ; ) {
      const part = Buffer.alloc(Math.max(1, Math.min(pieceSize, stats.size + 1 - read)));
      const bytes = readSync(file, part, 0, part.length, read);
      if (bytes === 0) return Buffer.concat(parts);
      parts.push(part.subarray(0, bytes));
      read += bytes;
      requireSize(path, read, options.maxBytes);
    }
  } catch (error) {
    return missingIsUndefined(translated(path, error));
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/**
 * Opens a file of our own to add to its end, and makes it if there is none; it can be read too. Something else may have been
 * put in its place: opening a FIFO to write waits for a reader.
 */
export function openToAppend(path: string): number {
  const { O_RDWR, O_APPEND, O_CREAT, O_NONBLOCK, O_NOCTTY, O_NOFOLLOW } = constants;
  let file: number | undefined;
  try {
    file = openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW, 0o600);
    requirePlain(path, fstatSync(file));
    return file;
  } catch (error) {
    if (file !== undefined) closeSync(file);
    throw translated(path, error);
  }
}

const pieceSize = 65_536;

function flagsOf({ followLinks }: Pick<ForeignOptions, "followLinks">): number {
  const { O_RDONLY, O_NONBLOCK, O_NOCTTY, O_NOFOLLOW } = constants;
  return O_RDONLY | O_NONBLOCK | O_NOCTTY | (followLinks ? 0 : O_NOFOLLOW);
}

function requirePlain(path: string, stats: Stats): void {
  if (!stats.isFile()) throw refused(path, `is ${kindOf(stats)}`);
}

function requireSize(path: string, size: number, maxBytes: number): void {
  if (size > maxBytes) throw refused(path, `has more than ${maxBytes} bytes`);
}

function requireBelow(path: string, folder: string, below: string): void {
  if (folder !== below && !folder.startsWith(below + sep)) throw refused(path, `is behind a link that leaves ${below}`);
}

function kindOf(stats: Stats): string {
  if (stats.isSymbolicLink()) return "a link";
  if (stats.isDirectory()) return "a folder";
  if (stats.isFIFO()) return "a FIFO";
  return stats.isSocket() ? "a socket" : "a device";
}

function refused(path: string, why: string): PanewardError {
  return new PanewardError("wrong_state", `${path} ${why}; only a plain file is used there`, {
    hint: "look at it, and replace or remove it",
  });
}

/** A link or a FIFO may take the file's place between the look and the opening. */
function translated(path: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ELOOP" || code === "ENXIO" ? refused(path, "is not a plain file") : error;
}

function missingIsUndefined(error: unknown): undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT" || code === "ENOTDIR") return undefined;
  throw error;
}
