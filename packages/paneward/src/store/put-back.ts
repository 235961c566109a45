import { renameSync, rmSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { PanewardError } from "@paneward/sdk";

/**
 * Whether the files of a database are those that were there: its own and its log, which holds all that was written last. SQLite
 * keeps both open and writes on without their names. The log is made with the first write, so it may appear later.
 */
export function watchPlace(path: string): () => boolean {
  const file = fileAt(path);
  let log = fileAt(`${path}-wal`);
  return () => {
    log ??= fileAt(`${path}-wal`);
    return fileAt(path) === file && fileAt(`${path}-wal`) === log;
  };
}

/**
 * Watches over the sizes of a database's files, which never shrink: SQLite reuses what is free. They must not be opened for a
 * closer look, because closing them would release the locks that SQLite has on them.
 */
export function watchSize(path: string): () => string | undefined {
  const watched = [
    { what: "its file", isShorter: watchOne(path) },
    { what: "its log", isShorter: watchOne(`${path}-wal`) },
  ];
  return () => {
    const found = watched.filter(({ isShorter }) => isShorter())[0];
    return found && `${found.what} is shorter than it was`;
  };
}

function watchOne(path: string): () => boolean {
  const sizeNow = () => statSync(path, { throwIfNoEntry: false })?.size;
  let largest = sizeNow() ?? 0;
  return () => {
    // One that is gone is not shorter: what was in it is still open.
    const size = sizeNow() ?? largest;
    const hasShrunk = size < largest;
    if (!hasShrunk) largest = size;
    return hasShrunk;
  };
}

/** Identifies the file at a path. */
function fileAt(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev}.${found.ino}`;
}

/**
 * Copies an open database, whose file was removed, replaced or emptied, to its path again, and closes it. SQLite keeps writing
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
