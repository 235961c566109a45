import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Backup } from "../runtime/ports.ts";

const kept = 3;

/** The backups of a database, newest first: `backups/paneward.db.1` and so on, beside it. */
export function backupsOf(database: string): readonly Backup[] {
  return Array.from({ length: kept }, (_, at) => backupPath(database, at + 1)).flatMap((path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    return found?.isFile() ? [{ path, at: found.mtimeMs }] : [];
  });
}

/** Makes a backup and drops the oldest. A copy that is not whole replaces none. */
export async function backUp(database: string): Promise<void> {
  const unfinished = `${backupPath(database, 0)}.new`;
  // Nothing is made in place of a state folder that others moved away.
  if (!existsSync(dirname(unfinished))) mkdirSync(dirname(unfinished), { mode: 0o700 });
  rmSync(unfinished, { force: true });
  try {
    await copied(database, unfinished);
    chmodSync(unfinished, 0o600);
    for (let at = kept - 1; at >= 1; at--) moveIfExists(backupPath(database, at), backupPath(database, at + 1));
    renameSync(unfinished, backupPath(database, 1));
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

export interface CopyJob {
  readonly from: string;
  readonly to: string;
}

// A large database takes seconds, so it is copied on a thread of its own, by a connection that only reads.
function copied(from: string, to: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const job: CopyJob = { from, to };
  const file = join(import.meta.dirname, `backup-thread${extname(import.meta.filename)}`);
  const thread = new Worker(file, { workerData: job });
  thread.unref();
  thread.once("error", reject);
  thread.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`the copy ended with code ${code}`))));
  return promise;
}

function backupPath(database: string, number: number): string {
  return join(dirname(database), "backups", number === 0 ? "paneward.db" : `paneward.db.${number}`);
}

function moveIfExists(from: string, to: string): void {
  if (statSync(from, { throwIfNoEntry: false })) renameSync(from, to);
}
