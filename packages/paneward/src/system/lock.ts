import { rmSync, statSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { PanewardError } from "@paneward/sdk";
import { readForeignSync } from "@paneward/sdk/node/files";

export interface Lock {
  readonly path: string;
  /** Nobody had made its file before: it was removed, or nobody was here yet. */
  readonly isNew: boolean;
  /** The process that held it before, if that did not release it: it was killed, or the machine stopped. */
  readonly leftBy: string | undefined;
  /** Takes it again if its file was removed or replaced, and returns whether that was so. Throws if another process has it. */
  takeAgain(): boolean;
  release(): void;
}

/**
 * Held by one process at a time, and released by the kernel when that process ends, however it ends. The lock is an
 * empty SQLite file, because Node has no flock; a file beside it names the holder.
 */
export function takeLock(path: string): Lock {
  const isNew = fileAt(path) === undefined;
  const before = holderOf(path);
  let held = hold(path);
  return {
    path,
    isNew,
    leftBy: before,
    takeAgain() {
      if (fileAt(path) === held.file) return false;
      const again = hold(path);
      held.database.close();
      held = again;
      return true;
    },
    release() {
      if (fileAt(path) === held.file) rmSync(`${path}.pid`, { force: true, recursive: true });
      held.database.close();
    },
  };
}

function hold(path: string): { readonly database: DatabaseSync; readonly file: string | undefined } {
  const database = opened(path);
  try {
    database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch (cause) {
    database.close();
    const holder = holderOf(path) ?? "unknown";
    throw new PanewardError("wrong_state", `another daemon is already running: process ${holder} holds ${path}`, {
      hint: "use it, or stop it with `paneward daemon stop`",
      cause,
    });
  }
  nameHolder(path);
  return { database, file: fileAt(path) };
}

function opened(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path, { timeout: 0 });
  } catch (cause) {
    throw new PanewardError("unavailable", `the lock ${path} cannot be used: ${(cause as Error).message}`, {
      hint: "move away what is at its place, and see that its folder can be written",
      cause,
    });
  }
}

function fileAt(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev}.${found.ino}`;
}

// Only a message needs it: a full disk must not keep the daemon from starting.
function nameHolder(path: string): void {
  try {
    rmSync(`${path}.pid`, { force: true });
    writeFileSync(`${path}.pid`, `${process.pid}\n`, { mode: 0o600, flag: "wx" });
  } catch {
    rmSync(`${path}.pid`, { force: true, recursive: true });
  }
}

/** The process that took a lock last and has not released it. It may have been killed. */
export function holderOf(path: string): string | undefined {
  try {
    return readForeignSync(`${path}.pid`, { maxBytes: 100 })?.toString().trim();
  } catch {
    return undefined;
  }
}
