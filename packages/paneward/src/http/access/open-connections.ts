/** What a caller has open: a request without its answer, an event stream, a WebSocket, a call link, a session. */
export interface OpenConnection {
  /** Whether its caller would be admitted now. */
  readonly isAllowed: () => boolean;
  readonly end: () => void;
}

/** All that is open. A login or token that is revoked ends what was opened with it, at once. */
export interface OpenConnections {
  /** Returns a function that removes it; call that when it has closed. */
  add(connection: OpenConnection): () => void;
  /** Ends what belongs to callers that would no longer be admitted. */
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
