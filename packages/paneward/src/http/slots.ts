import type { Duplex } from "node:stream";

/** The open connections of one listener. */
export interface Slots {
  add(connection: Duplex): void;
  /** Its caller is known now: it makes no room for others. */
  keep(connection: Duplex): void;
  /** Ends all of them, also those that speak another protocol by now. */
  endAll(): void;
}

/** A stranger needs a connection for one request. When there are more than so many, the oldest makes room. */
export function createSlots(maxStrangers: number): Slots {
  const open = new Set<Duplex>();
  const strangers = new Set<Duplex>();
  return {
    add(connection) {
      open.add(connection);
      strangers.add(connection);
      // Whatever happens to a connection is its client's loss, never the daemon's.
      connection.on("error", () => {});
      connection.on("close", () => {
        open.delete(connection);
        strangers.delete(connection);
      });
      const [oldest] = strangers;
      if (strangers.size > maxStrangers) {
        if (oldest) strangers.delete(oldest);
        oldest?.destroy();
      }
    },
    keep: (connection) => void strangers.delete(connection),
    endAll() {
      for (const connection of open) connection.destroy();
    },
  };
}
