import type { Evidence } from "./evidence.ts";

interface Known {
  readonly stuckAfterMs?: number;
  readonly cpuIdleSince?: number;
  readonly lastOutputAt: number | undefined;
  readonly now: number;
}

/** Since when an agent that claims to work is stuck: silent and without CPU for too long. */
export function stuckSince(lead: Evidence, known: Known): number | undefined {
  const { stuckAfterMs, cpuIdleSince, lastOutputAt, now } = known;
  if (lead.says !== "working" || lead.witness === "output" || lead.witness === "answer") return undefined;
  if (stuckAfterMs === undefined || cpuIdleSince === undefined) return undefined;
  const still = Math.max(lead.at, cpuIdleSince, lastOutputAt ?? 0);
  return now - still >= stuckAfterMs ? still + stuckAfterMs : undefined;
}
