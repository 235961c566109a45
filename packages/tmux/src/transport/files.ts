import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
  watch,
  writeFileSync,
} from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { TerminalFacts } from "../protocol/listening.ts";
import { localTerminal } from "./local-terminal.ts";

export interface FileSize {
  readonly name: string;
  readonly size: number;
}

/** The files of a journal, on any host. A missing file reads as empty. */
export interface Files {
  /** The path of a `split` that knows filters; undefined where none was looked for or found. */
  readonly filteringSplit?: string | undefined;
  makeFolder(folder: string): Promise<void>;
  /** Makes a folder again that was removed, with the one above it, but nothing further up: that may come back. */
  makeFolderAgain(folder: string): Promise<void>;
  /** Identifies a file among others at the same path; undefined if it is missing, or where a look is not cheap. */
  identify(path: string): string | undefined;
  /** Lists a folder. With `measured`, only the sizes of the names it picks are reliable. */
  list(folder: string, measured?: (names: readonly string[]) => ReadonlySet<string>): Promise<readonly FileSize[]>;
  /** Like `list`, without sizes. */
  names(folder: string): Promise<readonly string[]>;
  /** Names of the folders inside a folder to which nothing was added for so many days. */
  oldFolders(folder: string, days: number): Promise<readonly string[]>;
  read(path: string, offset: number, length: number): Promise<Buffer>;
  /** The file's size and last bytes, as cheaply as possible. */
  tail(path: string, length: number): Promise<{ readonly size: number; readonly bytes: Buffer }>;
  write(path: string, text: string): Promise<void>;
  append(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
  /**
   * Calls back soon after a file in the folder changed, with its name if known; returns a function that stops watching.
   */
  watch(folder: string, onChange: (name?: string) => void): () => void;
  /** The state and the signals of a process, as lines of its `/proc/PID/status`; empty when it is gone or unknown. */
  processStatus(pid: number): Promise<string>;
  /** The modes of the terminal that this process has, and what its foreground group waits for. */
  terminal(pid: number): Promise<TerminalFacts>;
  close(): Promise<void>;
}

// Something else may be at a file's place: opening a FIFO waits for its other side without this.
const readNow = constants.O_RDONLY | constants.O_NONBLOCK;
const writeNow = constants.O_WRONLY | constants.O_CREAT | constants.O_NONBLOCK;

export const localFiles: Files = {
  async makeFolder(folder) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  },
  async makeFolderAgain(folder) {
    await mkdir(dirname(folder), { mode: 0o700 }).catch(ifThere);
    await mkdir(folder, { mode: 0o700 }).catch(ifThere);
  },
  // A file system gives the number of a removed file to the next one.
  identify(path) {
    const found = statIfThere(path);
    return found && `${found.dev}.${found.ino}.${found.birthtimeNs}`;
  },
  // Followers read at every output, and each start writes a few short files. That is in the page cache, where a few
  // synchronous system calls cost less than thread pool round trips and leave the core to the printing program.
  async list(folder, measured) {
    const names = namesIn(folder);
    const picked = measured?.(names);
    return names.flatMap((name) => {
      if (picked && !picked.has(name)) return [{ name, size: 0 }];
      const found = statSync(join(folder, name), { throwIfNoEntry: false });
      return found?.isFile() ? [{ name, size: found.size }] : [];
    });
  },
  names: async (folder) => namesIn(folder),
  async oldFolders(folder, days) {
    const before = Date.now() - days * 86_400_000;
    return namesNow(folder).filter((name) => {
      const found = statSync(join(folder, name), { throwIfNoEntry: false });
      return found?.isDirectory() && found.mtimeMs <= before;
    });
  },
  async read(path, offset, length) {
    // Most reads find nothing new; then one stat is enough.
    const size = Number(statIfThere(path)?.size ?? 0);
    const file = size > offset ? openIfThere(path) : undefined;
    if (file === undefined) return Buffer.alloc(0);
    try {
      const buffer = Buffer.allocUnsafe(Math.min(length, size - offset));
      return buffer.subarray(0, readSync(file, buffer, 0, buffer.length, offset));
    } finally {
      closeSync(file);
    }
  },
  async tail(path, length) {
    const file = openSync(path, readNow);
    try {
      const { size } = fstatSync(file);
      const buffer = Buffer.allocUnsafe(Math.min(length, size));
      const read = readSync(file, buffer, 0, buffer.length, size - buffer.length);
      return { size, bytes: buffer.subarray(0, read) };
    } finally {
      closeSync(file);
    }
  },
  async write(path, text) {
    put(path, text, constants.O_TRUNC);
  },
  async append(path, text) {
    put(path, text, constants.O_APPEND);
  },
  remove: (path) => rm(path, { recursive: true, force: true }),
  watch(folder, onChange) {
    const watcher = watch(folder, { persistent: false }, (_, name) => onChange(name ?? undefined));
    // The folder itself was removed.
    watcher.on("error", () => watcher.close());
    return () => watcher.close();
  },
  async processStatus(pid) {
    try {
      return readFileSync(`/proc/${pid}/status`, "latin1");
    } catch {
      return "";
    }
  },
  terminal: (pid) => localTerminal(pid),
  close: async () => {},
};

function put(path: string, text: string, how: number): void {
  const file = openSync(path, writeNow | how, 0o600);
  try {
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, readNow);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function statIfThere(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

// A file may be in the place of a folder above.
function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOENT" || code === "ENOTDIR";
}

function ifThere(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}

interface Listed {
  readonly folder: bigint;
  readonly changedAt: bigint;
  readonly names: readonly string[];
}

// A journal has up to hundreds of files, and every read lists them. A folder's mtime changes when a file is added or
// removed; trust it once it is older than the coarsest file system clock.
const listed = new Map<string, Listed>();
const maxListed = 1_000;
const coarsestClockMs = 2_000;

function namesIn(path: string): readonly string[] {
  const found = statIfThere(path);
  const before = listed.get(path);
  if (found && before?.folder === found.ino && before.changedAt === found.mtimeNs) return before.names;
  listed.delete(path);
  const names = found ? namesNow(path) : [];
  if (found && Date.now() - Number(found.mtimeMs) > coarsestClockMs) {
    for (const [oldest] of listed) if (listed.size >= maxListed) listed.delete(oldest);
    listed.set(path, { folder: found.ino, changedAt: found.mtimeNs, names });
  }
  return names;
}

function namesNow(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
