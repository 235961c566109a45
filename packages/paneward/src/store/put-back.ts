import { renameSync, rmSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { PanewardError } from "@paneward/sdk";

/** Identifies the file at a path. */
export function fileAt(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev}.${found.ino}`;
}

/**
 * Watches over the size of a database's file, which never shrinks: SQLite reuses what is free. It must not be opened for a
 * closer look, because closing it would release the locks that SQLite has on it.
 */
export function watchSize(path: string): () => boolean {
  const sizeNow = () => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  let largest = sizeNow();
  return () => {
    const size = sizeNow();
    const hasShrunk = size < largest;
    if (!hasShrunk) largest = size;
    return hasShrunk;
  };
}

/**
 * Copies an open database, whose file was removed, replaced or emptied, to its path again, and closes it. SQLite goes on writing
 * to a file without a name, and everything in it would be gone with the process.
 */
export function moveBack(database: DatabaseSync, path: string, now: number): string | undefined {
  const copy = `${path}.new`;
  rmSync(copy, { force: true });
  database.prepare("VACUUM INTO ?").run(copy);
  requireRecords(copy);
  const aside = fileAt(path) && `${path}.aside-${new Date(now).toISOString().replaceAll(":", "")}`;
  if (aside !== undefined) renameSync(path, aside);
  database.close();
  // A log of the one must never be taken for a log of the other.
  for (const side of ["-wal", "-shm"]) rmSync(`${path}${side}`, { force: true });
  renameSync(copy, path);
  return aside;
}

// An emptied file reads as an empty database, without any error. Every database of ours says when it began.
function requireRecords(path: string): void {
  const copy = new DatabaseSync(path, { readOnly: true });
  try {
    const began = "SELECT 1 FROM counters WHERE name = 'began'";
    if (copy.prepare(began).get() === undefined) throw new Error("it has no records");
  } catch (cause) {
    const message = `the database is damaged: nothing is left of it (${(cause as Error).message})`;
    throw new PanewardError("storage_damaged", message, { cause });
  } finally {
    copy.close();
  }
}
