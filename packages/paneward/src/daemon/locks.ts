import { PanewardError, type Places } from "@paneward/sdk";
import { type Lock, takeLock } from "../system/lock.ts";

/**
 * The locks of a daemon: nobody else has its socket or its state folder. Without a lock's file, which others can remove, the
 * database says whether somebody is there: who uses it has it open.
 */
export function takeDaemonLocks(
  { socket, home, database }: Pick<Places, "socket" | "home" | "database">,
  isInUse: (database: string) => boolean,
): readonly Lock[] {
  const locks: Lock[] = [];
  try {
    for (const path of [`${socket}.lock`, `${home}/daemon.lock`]) locks.push(takeLock(path));
    if (locks.at(-1)?.isNew && isInUse(database)) throw usedWithoutLock(database);
    return locks;
  } catch (error) {
    for (const lock of locks) lock.release();
    throw error;
  }
}

function usedWithoutLock(database: string): PanewardError {
  return new PanewardError("wrong_state", `another process uses ${database}, perhaps a daemon whose lock was removed`, {
    hint: `use it, or end it: \`fuser ${database}\` names it`,
  });
}
