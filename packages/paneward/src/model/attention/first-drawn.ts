import type { Asked, Evidence } from "./evidence.ts";
import { isMoment } from "./rules.ts";

/**
 * An idle first screen gets the date of the agent's first report, so that it does not overrule it: an agent draws its
 * empty input line before it shows that it works on its first prompt.
 */
export function firstDrawn<Q extends Asked>(soFar: readonly Evidence<Q>[], seen: Evidence<Q>): Evidence<Q> {
  if (seen.says !== "idle" || soFar.some(({ witness }) => witness === "screen")) return seen;
  const spokenAt = soFar.filter(isMoment).map(({ at }) => at);
  return spokenAt.length === 0 ? seen : { ...seen, at: Math.min(seen.at, ...spokenAt), seenAt: seen.at };
}
