import type { World } from "../world.ts";
import type { JournalSource } from "./journal-read.ts";

/** One journal of a host. */
export function journalSource(world: Pick<World, "terminals">, host: string, journal: string): JournalSource {
  return {
    read: (cursor, maxBytes) => world.terminals.read(host, journal, cursor, maxBytes),
    beforeEnd: (bytes) => world.terminals.cursorBeforeEnd(host, journal, bytes),
  };
}
