import type { ShownQuestion } from "./reading.ts";

type Proof = Pick<ShownQuestion, "whole" | "proof" | "doubt">;

/** The agent itself says what it would do. */
export const byAgent: Proof = { whole: true, proof: "agent" };

/** The dialog was read from its first to its last line. */
export const byScreen: Proof = { whole: true, proof: "screen" };

export function unproved(doubt: string): Proof {
  return { whole: false, doubt };
}
