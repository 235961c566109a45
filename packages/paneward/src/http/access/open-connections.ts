/** A connection that stays open: a WebSocket or an event stream. */
export interface OpenVisit {
  /** Whether it would be let in now. */
  readonly isAllowed: () => boolean;
  readonly end: () => void;
}

/** Who is inside. A login or token that is revoked ends what was opened with it, at once. */
export interface Visits {
  /** Gives back what to call when it left. */
  begin(visit: OpenVisit): () => void;
  /** Ends those who would not be let in any more. */
  review(): void;
}

export function createVisits(): Visits {
  const open = new Set<OpenVisit>();
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
