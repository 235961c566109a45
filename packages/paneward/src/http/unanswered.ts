import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** Calls back once: when the client has taken the response, or its connection is gone. */
export type OnOver = (listener: () => void) => void;

/** The requests of each connection whose responses its client has not taken yet. */
export interface Unanswered {
  /** Undefined if the connection has too many already. */
  begin(connection: Duplex, response: ServerResponse): OnOver | undefined;
}

export interface UnansweredOptions {
  readonly maxPerConnection: number;
  /** How long a client may take to read a response that is complete. */
  readonly takenMs: number;
}

/**
 * Responses wait in memory until they are read, and one packet holds hundreds of requests (HTTP pipelining). Node tells a
 * response behind another one nothing when their connection is lost, so that is watched here.
 */
export function createUnanswered({ maxPerConnection, takenMs }: UnansweredOptions): Unanswered {
  const open = new WeakMap<Duplex, Set<() => void>>();
  const endsOf = (connection: Duplex) => {
    const known = open.get(connection);
    if (known) return known;
    const ends = new Set<() => void>();
    open.set(connection, ends);
    connection.once("close", () => {
      for (const end of [...ends]) end();
    });
    return ends;
  };
  return {
    begin(connection, response) {
      const ends = endsOf(connection);
      if (ends.size >= maxPerConnection) return undefined;
      const listeners: (() => void)[] = [];
      let late: NodeJS.Timeout | undefined;
      const end = () => {
        clearTimeout(late);
        ends.delete(end);
        for (const listener of listeners.splice(0)) listener();
      };
      ends.add(end);
      response.once("close", end);
      // Emitted when it is complete and it is its turn on the connection.
      if (Number.isFinite(takenMs)) {
        response.once("prefinish", () => {
          late = setTimeout(() => connection.destroy(), takenMs).unref();
        });
      }
      return (listener) => void (ends.has(end) ? listeners.push(listener) : listener());
    },
  };
}
