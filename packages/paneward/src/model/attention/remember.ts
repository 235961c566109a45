import { type Asked, type Evidence, freshAt } from "./evidence.ts";

/**
 * The newest report of each witness. A repeated report keeps the date of the first and gets a new `seenAt`: a title that
 * spins is one fact, not ten a second.
 */
export function remember<Q extends Asked>(soFar: readonly Evidence<Q>[], heard: Evidence<Q>): readonly Evidence<Q>[] {
  const before = soFar.find(({ witness }) => witness === heard.witness);
  if (!before) return [...soFar, heard];
  // Hooks can overtake each other; ignore the older one.
  if (freshAt(heard) < freshAt(before)) return soFar;
  // A report with its own date (`seenAt` beside `at`, as of a state file) keeps it: it is not a repetition.
  const again = heard.seenAt === undefined && repeats(before, heard);
  const kept = again ? { ...heard, at: Math.min(before.at, heard.at), seenAt: heard.at } : heard;
  return soFar.map((one) => (one === before ? kept : one));
}

/** Moments are never repetitions: a second bell, a second hook and later output are new facts. */
function repeats(before: Evidence, heard: Evidence): boolean {
  return (
    !["hook", "event_stream", "extension", "bell", "output", "silence"].includes(heard.witness) &&
    before.says === heard.says &&
    before.detail === heard.detail &&
    before.question?.text === heard.question?.text
  );
}
