import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";

const memory = "/dev/shm";
const tmpfs = 0x01_02_19_94;
const neededBytes = 4 * 2 ** 30;

/**
 * A new folder for what the tests of this run write. It is in memory where the machine has room: databases, worktrees and
 * sockets by the thousand cost a tenth of the suite on a disk. Long runs are on the disk.
 */
export function scratchFolder(env: Readonly<Record<string, string | undefined>>): string {
  const inMemory = env.TMPDIR === undefined && env.PANEWARD_SOAK === undefined && hasRoom();
  // Short, because the path of a socket may have only 107 bytes.
  const folder = mkdtempSync(`${inMemory ? memory : tmpdir()}/pw`);
  process.on("exit", () => remove(folder));
  // A signal ends Node without "exit".
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(1));
  return folder;
}

// What an interrupted test started may still write for a moment.
function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  } catch (error) {
    process.stderr.write(`${folder} is left behind: ${String(error)}\n`);
  }
}

function hasRoom(): boolean {
  try {
    const { type, bsize, bavail } = statfsSync(memory);
    return type === tmpfs && bsize * bavail >= neededBytes;
  } catch {
    return false;
  }
}
