/** What one witness says about a terminal, and since when. All times are monotonic. */
export interface Evidence<Q extends Asked = Asked> {
  readonly witness: Witness;
  readonly says: Says;
  /** When this began to be so: the hook's moment, the state file's own date, the first look that saw it. */
  readonly at: number;
  /** The last look that found it still so, for witnesses that can be looked at again. */
  readonly seenAt?: number;
  /** The rule by which it says so, for people. */
  readonly rule: string;
  readonly detail?: Detail;
  readonly question?: Q;
  /** More questions that wait at the same time, oldest first. */
  readonly others?: readonly Q[];
  /** Only printed, by a program that is not a known agent. */
  readonly unverified?: boolean;
  /** How long it counts, where that is not the witness's usual time. */
  readonly lastsMs?: number;
}

export type Witness =
  | "exit"
  | "extension"
  | "hook"
  | "event_stream"
  | "state_file"
  | "screen"
  | "title"
  | "osc"
  | "bell"
  | "answer"
  | "start"
  | "output"
  | "silence";

export type Says = "working" | "idle" | "needs_input" | "unknown";

/**
 * A reason of its own beside the verdict. quota_reached and login_expired: the agent cannot continue.
 * background_work: its turn ended but something that it started has not. stuck: it claims to work, in silence and without CPU.
 */
export type Detail = "quota_reached" | "login_expired" | "background_work" | "stuck";

/** The least that is known of a question; an agent's own is richer. */
export interface Asked {
  readonly text: string;
  readonly options?: readonly {
    readonly label: string;
    readonly key?: string | undefined;
    readonly selected?: boolean | undefined;
  }[];
}

/** The last moment at which this was known to be so. */
export function freshAt(evidence: Evidence): number {
  return Math.max(evidence.at, evidence.seenAt ?? evidence.at);
}
