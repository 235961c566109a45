import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

/** Whether another process has a database open. In WAL mode each has a shared lock on the file for as long as it does. */
export function isInUse(path: string): boolean {
  if (!statSync(path, { throwIfNoEntry: false })) return false;
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: 0 });
    database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; ROLLBACK");
    return false;
  } catch (error) {
    // Any other fault is reported when it is opened.
    return ((error as { readonly errcode?: number }).errcode ?? 0) % 256 === busy;
  } finally {
    database?.close();
  }
}

const busy = 5;
