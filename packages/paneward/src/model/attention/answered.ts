import type { Asked, Evidence } from "./evidence.ts";

/**
 * The evidence after an answer: questions from before the answer are over, and the program works until a witness reports
 * something else.
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
