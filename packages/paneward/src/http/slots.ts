import type { Duplex } from "node:stream";
import type { ConnectionLimits } from "./connection-limits.ts";

/** The open connections of one listener. */
export interface Slots {
  add(connection: Duplex): void;
  /**
   * Its caller is known now: it makes no room for others, unless this caller keeps its share already. True if it was a
   * stranger's before.
   */
  keep(connection: Duplex, who: string): boolean;
  /** Its caller lost its rights: it is a stranger's again. */
  giveUp(connection: Duplex): void;
  /** Ends all of them, also those that speak another protocol by now. */
  endAll(): void;
}

/** A stranger needs a connection for one request. When there are more than so many, the oldest makes room. */
export function createSlots({ maxStrangers, maxKept }: Pick<ConnectionLimits, "maxStrangers" | "maxKept">): Slots {
  const open = new Set<Duplex>();
  const strangers = new Set<Duplex>();
  const kept = new Map<Duplex, string>();
  const counts = new Map<string, number>();
  const count = (who: string, difference: 1 | -1) => {
    const now = (counts.get(who) ?? 0) + difference;
    if (now > 0) counts.set(who, now);
    else counts.delete(who);
  };
  const unkeep = (connection: Duplex) => {
    const who = kept.get(connection);
    if (who !== undefined) count(who, -1);
    return kept.delete(connection);
  };
  const addStranger = (connection: Duplex) => {
    strangers.add(connection);
    const [oldest] = strangers;
    if (!oldest || strangers.size <= maxStrangers) return;
    strangers.delete(oldest);
    oldest.destroy();
  };
  return {
    add(connection) {
      open.add(connection);
      // Whatever happens to a connection is its client's loss, never the daemon's.
      connection.on("error", () => {});
      connection.on("close", () => {
        open.delete(connection);
        strangers.delete(connection);
        unkeep(connection);
      });
      addStranger(connection);
    },
    keep(connection, who) {
      if (!strangers.has(connection) || (counts.get(who) ?? 0) >= maxKept) return false;
      strangers.delete(connection);
      kept.set(connection, who);
      count(who, 1);
      return true;
    },
    giveUp(connection) {
      if (unkeep(connection)) addStranger(connection);
    },
    endAll() {
      for (const connection of open) connection.destroy();
    },
  };
}
