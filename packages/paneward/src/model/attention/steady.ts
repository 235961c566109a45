import type { Asked } from "./evidence.ts";
import type { Verdict } from "./judge.ts";

/** The verdict that is shown, and the one that waits to replace it. */
export interface Steady<Q extends Asked = Asked> {
  readonly shown: Verdict<Q>;
  readonly next?: { readonly says: Verdict["says"]; readonly since: number };
  /** When to judge again without new evidence. */
  readonly recheckAt?: number;
}

/** Keeps a status from flickering: another verdict is shown when it is sure, or after it has lasted for stableMs. */
export function steady<Q extends Asked>(
  before: Steady<Q> | undefined,
  verdict: Verdict<Q>,
  now: number,
  stableMs: number,
): Steady<Q> {
  if (!before || verdict.sure || sameAnswer(before.shown, verdict)) return { shown: verdict };
  const since = before.next?.says === verdict.says ? before.next.since : now;
  if (now - since >= stableMs) return { shown: verdict };
  return { shown: before.shown, next: { says: verdict.says, since }, recheckAt: since + stableMs };
}

function sameAnswer(shown: Verdict, verdict: Verdict): boolean {
  return shown.says === verdict.says && shown.detail === verdict.detail;
}
