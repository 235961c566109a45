import type { World } from "../world.ts";
import type { JournalSource } from "./journal-read.ts";

/** A journal of a host, for whoever reads it. */
export function journalSource(world: World, host: string, journal: string): JournalSource {
  return {
    read: (cursor, most) => world.terminals.read(host, journal, cursor, most),
    beforeEnd: (bytes) => world.terminals.cursorBeforeEnd(host, journal, bytes),
  };
}
