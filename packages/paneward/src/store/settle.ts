import { open } from "node:fs/promises";
import { PanewardError } from "@paneward/sdk";

/**
 * Makes commits last. With `synchronous = NORMAL` a commit is in the operating system's memory; a power cut undoes it
 * until the write-ahead log was synced. The sync runs beside the daemon's loop, and all callers that wait share one.
 */
export function createSettle(path: string): { noted(): void; settled(): Promise<void> } {
  let written = 0;
  let synced = 0;
  let running: Promise<void> | undefined;
  const sync = async () => {
    const upTo = written;
    await syncFile(`${path}-wal`);
    synced = upTo;
  };
  return {
    noted: () => {
      written += 1;
    },
    async settled() {
      const wanted = written;
      while (synced < wanted) {
        running ??= sync().finally(() => {
          running = undefined;
        });
        await running;
      }
    },
  };
}

// No lock of SQLite is on this file, so closing it releases none.
async function syncFile(path: string): Promise<void> {
  try {
    const file = await open(path, "r");
    try {
      await file.datasync();
    } finally {
      await file.close();
    }
  } catch (cause) {
    const reason = (cause as Error).message;
    throw new PanewardError("outcome_unknown", `it was done, but a power cut could still undo it: ${reason}`, {
      hint: "look at the disk of the state folder: `paneward doctor` says where it is",
      cause,
    });
  }
}
