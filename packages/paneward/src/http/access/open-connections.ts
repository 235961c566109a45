/** A connection that stays open: a WebSocket or an event stream. */
export interface OpenConnection {
  /** Whether its caller would be admitted now. */
  readonly isAllowed: () => boolean;
  readonly end: () => void;
}

/** All open connections. A login or token that is revoked ends those opened with it, at once. */
export interface OpenConnections {
  /** Returns a function that removes it; call that when it has closed. */
  add(connection: OpenConnection): () => void;
  /** Ends the connections whose callers would no longer be admitted. */
  review(): void;
}

export function createOpenConnections(): OpenConnections {
  const open = new Set<OpenConnection>();
  return {
    add(connection) {
      open.add(connection);
      return () => open.delete(connection);
    },
    review() {
      for (const connection of [...open]) if (!connection.isAllowed()) connection.end();
    },
  };
}
