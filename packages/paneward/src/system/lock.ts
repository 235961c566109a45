import { rmSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { PanewardError } from "@paneward/sdk";
import { readForeignSync } from "@paneward/sdk/node/files";

/**
 * Held by one process at a time, and released by the kernel when that process ends, however it ends. The lock is an
 * empty SQLite file, because Node has no flock; a file beside it names the holder.
 */
export function takeLock(path: string): { release(): void } {
  const file = new DatabaseSync(path, { timeout: 0 });
  try {
    file.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch (cause) {
    file.close();
    throw new PanewardError(
      "wrong_state",
      `another daemon is already running: process ${holderOf(path)} holds ${path}`,
      {
        hint: "use it, or stop it with `paneward daemon stop`",
        cause,
      },
    );
  }
  nameHolder(path);
  return { release: () => file.close() };
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

function holderOf(path: string): string {
  try {
    return readForeignSync(`${path}.pid`, { maxBytes: 100 })?.toString().trim() ?? "unknown";
  } catch {
    return "unknown";
  }
}
