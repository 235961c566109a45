import { PanewardError } from "@paneward/sdk";

// SQLite's primary result codes.
const busy = 5;
const locked = 6;
const readOnly = 8;
const ioError = 10;
const corrupt = 11;
const full = 13;
const cannotOpen = 14;
const notADatabase = 26;

/** Failures of SQLite in our words. */
export function translateErrors<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    throw translated(cause);
  }
}

function translated(cause: unknown): unknown {
  const code = ((cause as { errcode?: number }).errcode ?? -1) & 0xff;
  const message = (cause as Error).message;
  if (code === full || code === ioError) {
    return new PanewardError("storage_full", `the database could not be written: ${message}`, { cause });
  }
  if (code === busy || code === locked) {
    return new PanewardError("storage_busy", "the database is in use by another process", { cause });
  }
  if (code === corrupt || code === notADatabase) {
    return new PanewardError("storage_damaged", `the database is damaged: ${message}`, { cause });
  }
  if (code === readOnly || code === cannotOpen) {
    const hint = "check the permissions of the state folder; `paneward doctor` says where it is";
    return new PanewardError("unavailable", `the database cannot be used: ${message}`, { hint, cause });
  }
  return cause;
}
