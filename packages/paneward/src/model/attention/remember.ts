import { type Asked, type Evidence, freshAt } from "./evidence.ts";

/**
 * The newest report of each witness. A repeated report keeps the date of the first and gets a new `seenAt`: a title that
 * spins is one fact, not ten a second.
 */
export function remember<Q extends Asked>(
  soFar: readonly Evidence<Q>[],
  received: Evidence<Q>,
): readonly Evidence<Q>[] {
  const before = soFar.find(({ witness }) => witness === received.witness);
  if (!before) return [...soFar, received];
  // Hooks can overtake each other; ignore the older one.
  if (freshAt(received) < freshAt(before)) return soFar;
  // A report with its own date (`seenAt` beside `at`, as of a state file) keeps it: it is not a repetition.
  const again = received.seenAt === undefined && repeats(before, received);
  const kept = again ? { ...received, at: Math.min(before.at, received.at), seenAt: received.at } : received;
  return soFar.map((one) => (one === before ? kept : one));
}

/** Moments are never repetitions: a second bell, a second hook and later output are new facts. */
function repeats(before: Evidence, received: Evidence): boolean {
  return (
    !["hook", "event_stream", "extension", "bell", "output", "silence"].includes(received.witness) &&
    before.says === received.says &&
    before.detail === received.detail &&
    before.question?.text === received.question?.text
  );
}
