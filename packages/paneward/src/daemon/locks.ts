import { PanewardError, type Places } from "@paneward/sdk";
import { type Lock, takeLock } from "../system/lock.ts";

/**
 * The locks of a daemon: no other one uses its socket or its state folder. A lock's file can be removed by others; then the
 * database shows whether a daemon is there: it has it open.
 */
export function takeDaemonLocks(
  { socket, home, database }: Pick<Places, "socket" | "home" | "database">,
  isInUse: (database: string) => boolean,
): readonly Lock[] {
  const locks: Lock[] = [];
  try {
    locks.push(takeLock(`${socket}.lock`));
    locks.push(takeHomeLock(home));
    if (locks.at(-1)?.isNew && isInUse(database)) throw usedWithoutLock(database);
    return locks;
  } catch (error) {
    for (const lock of locks) lock.release();
    throw error;
  }
}

/**
 * What went wrong once it had its locks. `wrong_state` says that another daemon has them, for which a command that started
 * this one waits; whatever else is so needs a person.
 */
export function besideLocks(cause: unknown): unknown {
  if (!(cause instanceof PanewardError) || cause.code !== "wrong_state") return cause;
  return new PanewardError("unavailable", cause.message, { hint: cause.hint, cause });
}

/** The owner of this daemon's socket had its lock already, so the holder of this lock listens on another socket. */
function takeHomeLock(home: string): Lock {
  try {
    return takeLock(`${home}/daemon.lock`);
  } catch (cause) {
    if (!(cause instanceof PanewardError) || cause.code !== "wrong_state") throw cause;
    throw new PanewardError("unavailable", `${cause.message}, and listens on another socket`, {
      hint: "set PANEWARD_SOCKET_PATH to its socket, or PANEWARD_HOME to a folder of your own",
      cause,
    });
  }
}

function usedWithoutLock(database: string): PanewardError {
  return new PanewardError("wrong_state", `another process uses ${database}, perhaps a daemon whose lock was removed`, {
    hint: `use it, or end it: \`fuser ${database}\` names it`,
  });
}
