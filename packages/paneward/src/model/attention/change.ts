import type { Asked } from "./evidence.ts";
import type { Verdict } from "./judge.ts";

/** A changed verdict about a terminal, as listeners get it; `why.since` is a date for people. */
export interface AttentionChange<Q extends Asked = Asked>
  extends Pick<Verdict<Q>, "says" | "why" | "detail" | "question"> {
  readonly terminal: string;
  /** Its program has worked or asked since it started. */
  readonly hasBegun: boolean;
}
