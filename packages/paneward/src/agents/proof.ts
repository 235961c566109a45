import type { Proposal } from "@paneward/sdk";
import type { ShownQuestion } from "./reading.ts";

type Proof = Pick<ShownQuestion, "whole" | "proof" | "doubt">;

/** The agent itself says what it would do. */
export const byAgent: Proof = { whole: true, proof: "agent" };

/** The dialog was read from its first to its last line. */
export const byScreen: Proof = { whole: true, proof: "screen" };

export function unproved(doubt: string): Proof {
  return { whole: false, doubt };
}

/** A report proves what it contains: the command, the change, or the whole input. */
export function reportedBy(agent: string, { command, diff, more }: Proposal): Proof {
  if (command !== undefined || diff !== undefined || more !== undefined) return byAgent;
  return unproved(`${agent} reports the tool, not what it does with it`);
}
