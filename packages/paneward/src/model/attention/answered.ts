import type { Asked, Evidence } from "./evidence.ts";

/**
 * What is left when a question was answered: whoever asked before the answer was given asks no more, and until somebody
 * says what comes of it the program goes on.
 */
export function answered<Q extends Asked>(
  evidence: readonly Evidence<Q>[],
  givenAt: number,
  now: number,
): readonly Evidence<Q>[] {
  const left = evidence.filter(
    ({ witness, says, at }) => witness !== "answer" && !(says === "needs_input" && at <= givenAt),
  );
  return [...left, { witness: "answer", says: "working", at: now, rule: "its question was answered" }];
}
