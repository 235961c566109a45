import { DatabaseSync } from "node:sqlite";
import { PanewardError } from "@paneward/sdk";

/**
 * Held by one process at a time, and let go by the kernel when that process ends, however it ends. An empty SQLite file
 * is the lock, because Node has no flock.
 */
export function takeLock(path: string): { release(): void } {
  const file = new DatabaseSync(path, { timeout: 0 });
  try {
    file.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch (cause) {
    file.close();
    throw new PanewardError("wrong_state", `another daemon holds ${path}`, { cause });
  }
  return { release: () => file.close() };
}
