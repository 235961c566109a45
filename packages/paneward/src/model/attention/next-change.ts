import { eventStreamOverrulesMs, questionOverrulesMs } from "../timing.ts";
import { type Evidence, freshAt } from "./evidence.ts";
import type { Circumstances } from "./judge.ts";
import { lifetime } from "./rules.ts";

/** When the verdict may change without new evidence: the time to judge again, instead of polling. */
export function nextChange(
  evidence: readonly Evidence[],
  now: number,
  { stuckAfterMs, cpuIdleSince }: Circumstances = {},
): number | undefined {
  const moments = evidence.flatMap((one) => [
    freshAt(one) + lifetime(one) + 1,
    ...(one.witness === "screen" && one.says === "needs_input"
      ? [one.at + questionOverrulesMs, one.at + eventStreamOverrulesMs]
      : []),
    ...(stuckAfterMs !== undefined && cpuIdleSince !== undefined
      ? [Math.max(one.at, cpuIdleSince) + stuckAfterMs]
      : []),
  ]);
  const coming = moments.filter((moment) => moment > now && Number.isFinite(moment));
  return coming.length > 0 ? Math.min(...coming) : undefined;
}
