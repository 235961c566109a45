/** A connection that stays open: a WebSocket or an event stream. */
export interface OpenConnection {
  /** Whether it would be let in now. */
  readonly isAllowed: () => boolean;
  readonly end: () => void;
}

/** Who is inside. A login or token that is revoked ends what was opened with it, at once. */
export interface OpenConnections {
  /** Gives back what to call when it left. */
  begin(visit: OpenConnection): () => void;
  /** Ends those who would not be let in any more. */
  review(): void;
}

export function createOpenConnections(): OpenConnections {
  const open = new Set<OpenConnection>();
  return {
    begin(visit) {
      open.add(visit);
      return () => open.delete(visit);
    },
    review() {
      for (const visit of [...open]) if (!visit.isAllowed()) visit.end();
    },
  };
}
