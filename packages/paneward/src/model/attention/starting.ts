import type { Asked, Evidence, Witness } from "./evidence.ts";

/** Witnesses of what only the agent itself reports or draws. A bell and mere output may come from a shell or an error. */
const ownWitnesses: ReadonlySet<Witness> = new Set([
  ...(["extension", "hook", "event_stream", "state_file", "screen", "title", "osc"] as const),
]);

/** Whether an agent's own witnesses have reported anything. */
export function hasReported(evidence: readonly Evidence[]): boolean {
  return evidence.some(({ witness, says }) => ownWitnesses.has(witness) && says !== "unknown");
}

/**
 * Whether an agent has begun its prompt: its own witnesses report that it works or asks, or its event stream knows a
 * conversation. An input line that waits, a title and a first hook may come before that.
 */
export function begun(evidence: readonly Evidence[]): boolean {
  return evidence.some(({ witness, says }) => {
    if (witness === "event_stream") return says !== "unknown";
    return ownWitnesses.has(witness) && (says === "working" || says === "needs_input");
  });
}

/**
 * An agent whose own witnesses reported nothing yet is starting, however long its screen stays empty. If it was looked at, what the
 * screen is instead is said: another program may have the agent's name.
 */
export function starting<Q extends Asked>(
  startedAt: number,
  lastOutputAt: number | undefined,
  lastsMs: number | undefined,
  evidence: readonly Evidence<Q>[] = [],
): Evidence<Q> {
  const screen = evidence.find(({ witness, says }) => witness === "screen" && says === "unknown");
  return {
    witness: "start",
    says: "working",
    at: startedAt,
    rule: `it is starting: ${screen?.rule ?? "nothing of its own was seen yet"}`,
    ...(lastOutputAt === undefined ? {} : { seenAt: lastOutputAt }),
    ...(lastsMs === undefined ? {} : { lastsMs }),
  };
}
