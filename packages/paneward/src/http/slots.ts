import type { Socket } from "node:net";
import type { ConnectionLimits } from "./connection-limits.ts";
import type { OwnConnections } from "./own-connections.ts";

/** The open connections of one listener. */
export interface Slots {
  add(connection: Socket): void;
  /**
   * Its caller is known now: it makes no room for others, unless this caller keeps its share already. True if it was a
   * stranger's before.
   */
  keep(connection: Socket, who: string): boolean;
  /** Its caller lost its rights: it is a stranger's again. */
  giveUp(connection: Socket): void;
  /** Ends all of them, also those that speak another protocol by now. */
  endAll(): void;
}

/**
 * A stranger needs a connection for one request. When there are more than so many, those of other users of the machine make
 * room first, the oldest before the others. Until it is known whose they are, there may be twice as many: so many
 * of this user's, and as many that were not looked at yet.
 */
export function createSlots(
  { maxStrangers, maxKept }: Pick<ConnectionLimits, "maxStrangers" | "maxKept">,
  own: OwnConnections,
): Slots {
  const open = new Set<Socket>();
  const strangers = new Set<Socket>();
  const kept = new Map<Socket, string>();
  const counts = new Map<string, number>();
  const count = (who: string, difference: 1 | -1) => {
    const now = (counts.get(who) ?? 0) + difference;
    if (now > 0) counts.set(who, now);
    else counts.delete(who);
  };
  const unkeep = (connection: Socket) => {
    const who = kept.get(connection);
    if (who !== undefined) count(who, -1);
    return kept.delete(connection);
  };
  const end = (isOne: (connection: Socket) => boolean, most: number) => {
    for (const connection of strangers) {
      if (strangers.size <= most) return;
      if (!isOne(connection)) continue;
      strangers.delete(connection);
      connection.destroy();
    }
  };
  const isOwn = (connection: Socket) => own.known(connection) === true;
  const makeRoom = () => {
    end((connection) => own.known(connection) === false, maxStrangers);
    // Those that this user's programs leave open are no reason to end one that asks just now.
    const others = [...strangers].filter((connection) => !isOwn(connection)).length;
    end(isOwn, maxStrangers + others);
    end((connection) => own.known(connection) === undefined, maxStrangers * 2);
    if (strangers.size <= maxStrangers) return;
    const isUnsure = [...strangers].some((connection) => own.known(connection) === undefined);
    if (isUnsure) lookFirst();
    else end(() => true, maxStrangers);
  };
  let isLooking = false;
  const lookFirst = () => {
    if (isLooking) return;
    isLooking = true;
    void own.look().then(() => {
      isLooking = false;
      if (strangers.size > maxStrangers) makeRoom();
    });
  };
  const addStranger = (connection: Socket) => {
    strangers.add(connection);
    if (strangers.size > maxStrangers) makeRoom();
  };
  return {
    add(connection) {
      open.add(connection);
      own.add(connection);
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
