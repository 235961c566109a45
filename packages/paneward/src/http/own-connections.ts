import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { OwnPeers } from "../runtime/ports.ts";

/** Which connections on loopback belong to programs of this user. */
export interface OwnConnections {
  add(connection: Socket): void;
  /** Undefined until it was looked up. */
  known(connection: Socket): boolean | undefined;
  /** Looks at all that are open now. */
  look(): Promise<void>;
}

/** Of a listener that only one user can reach. */
export const noConnectionsOfOthers: OwnConnections = { add() {}, known: () => true, look: async () => {} };

/** Looking takes time, so it is done only when it matters, for all connections at once, and not all the time. */
export function createOwnConnections(ownPeers: OwnPeers, port: () => number, pauseMs = 100): OwnConnections {
  const open = new Set<Socket>();
  const known = new WeakMap<Socket, boolean>();
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  // A listener that was closed meanwhile has no port.
  const peers = async () => ownPeers(port());
  const lookNow = async () => {
    await last;
    next = undefined;
    const unknown = [...open].filter((connection) => !known.has(connection));
    const finding = peers().catch(() => new Set<number>());
    last = finding.then(() => delay(pauseMs, undefined, { ref: false }));
    const own = await finding;
    for (const connection of unknown) known.set(connection, isAmong(own, connection));
  };
  return {
    add(connection) {
      open.add(connection);
      connection.once("close", () => open.delete(connection));
    },
    known: (connection) => known.get(connection),
    look() {
      next ??= lookNow();
      return next;
    },
  };
}

// Another user may come from 127.0.0.2, by the same port.
function isAmong(own: ReadonlySet<number>, { remoteAddress, remotePort }: Socket): boolean {
  return remoteAddress === "127.0.0.1" && remotePort !== undefined && own.has(remotePort);
}
