import { renameSync, rmSync, statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";

/** Identifies the file at a path. */
export function fileAt(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev}.${found.ino}`;
}

/**
 * Copies an open database, whose file was removed or replaced, to its path again, and closes it. SQLite goes on writing
 * to a file without a name, and everything in it would be gone with the process.
 */
export function moveBack(database: DatabaseSync, path: string, now: number): string | undefined {
  const copy = `${path}.new`;
  rmSync(copy, { force: true });
  database.prepare("VACUUM INTO ?").run(copy);
  const aside = fileAt(path) && `${path}.aside-${new Date(now).toISOString().replaceAll(":", "")}`;
  if (aside !== undefined) renameSync(path, aside);
  database.close();
  // A log of the one must never be taken for a log of the other.
  for (const side of ["-wal", "-shm"]) rmSync(`${path}${side}`, { force: true });
  renameSync(copy, path);
  return aside;
}
