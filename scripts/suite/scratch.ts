import { mkdtempSync, rmSync, statfsSync } from "node:fs";

const memory = "/dev/shm";
const tmpfs = 0x01_02_19_94;
const neededBytes = 4 * 2 ** 30;

/**
 * The folder for what tests write, in memory where the machine has room: databases, worktrees and sockets by the thousand
 * cost a tenth of the suite on a disk. A folder that the caller chose stays, and long runs are on the disk.
 */
export function scratchFolder(env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (env.TMPDIR !== undefined || env.PANEWARD_SOAK !== undefined || !hasRoom()) return undefined;
  // Short, because the path of a socket may have only 107 bytes.
  const folder = mkdtempSync(`${memory}/pw`);
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  // A signal ends Node without "exit".
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(1));
  return folder;
}

function hasRoom(): boolean {
  try {
    const { type, bsize, bavail } = statfsSync(memory);
    return type === tmpfs && bsize * bavail >= neededBytes;
  } catch {
    return false;
  }
}
