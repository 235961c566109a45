import type { Runtime } from "../world.ts";
import type { JournalSource } from "./journal-read.ts";

/** A journal of a host, for whoever reads it. */
export function journalSource(rt: Runtime, host: string, journal: string): JournalSource {
  return {
    read: (cursor, most) => rt.terminals.read(host, journal, cursor, most),
    beforeEnd: (bytes) => rt.terminals.cursorBeforeEnd(host, journal, bytes),
  };
}
