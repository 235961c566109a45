import type { Asked, Evidence, Witness } from "./evidence.ts";

/** Words that only the agent itself can say or draw. A bell and mere output may be anybody's: a shell's, an error's. */
const ownWitnesses: ReadonlySet<Witness> = new Set([
  ...(["extension", "hook", "event_stream", "state_file", "screen", "title", "osc"] as const),
]);

/** Whether an agent's own witnesses have said anything. */
export function spoke(evidence: readonly Evidence[]): boolean {
  return evidence.some(({ witness, says }) => ownWitnesses.has(witness) && says !== "unknown");
}

/**
 * Whether an agent has begun what it was given: its own witnesses say that it works or asks, or its event stream knows a
 * conversation. An input line that waits, a title and a first hook may come before that.
 */
export function begun(evidence: readonly Evidence[]): boolean {
  return evidence.some(({ witness, says }) => {
    if (witness === "event_stream") return says !== "unknown";
    return ownWitnesses.has(witness) && (says === "working" || says === "needs_input");
  });
}

/** An agent that has not spoken yet starts, however long its screen stays empty. */
export function starting<Q extends Asked>(
  startedAt: number,
  lastOutputAt: number | undefined,
  lastsMs: number | undefined,
): Evidence<Q> {
  return {
    witness: "start",
    says: "working",
    at: startedAt,
    rule: "it is starting: nothing of its own was seen yet",
    ...(lastOutputAt === undefined ? {} : { seenAt: lastOutputAt }),
    ...(lastsMs === undefined ? {} : { lastsMs }),
  };
}
