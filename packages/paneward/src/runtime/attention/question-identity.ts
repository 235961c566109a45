import { createHash } from "node:crypto";
import type { Question } from "@paneward/sdk";
import type { ShownQuestion } from "../../agents/agent.ts";

/** A question with the hash that identifies it; empty when only a hook reported it. */
export interface IdentifiedQuestion extends ShownQuestion {
  readonly hash: string;
}

export function withHash(question: ShownQuestion): IdentifiedQuestion {
  return { ...question, hash: screenHash(question) };
}

/** Of the lines that are a question, with their place if that is known. No lines, no hash. */
export function screenHash({ region, at }: Pick<ShownQuestion, "region" | "at">): string {
  if (region === "") return "";
  const hash = createHash("sha256").update(region).digest("hex").slice(0, 32);
  return at === undefined ? hash : `${hash}@${at}`;
}

/** How two looks at a screen compare: the same text on another line is a new question. */
export function compareHashes(one: string, other: string): "same" | "moved" | "different" {
  if (one === other) return "same";
  const [text, place] = one.split("@");
  const [otherText, otherPlace] = other.split("@");
  if (text !== otherText) return "different";
  const columns = (at: string | undefined) => at?.split("x")[0];
  // Another width moves every line.
  return columns(place) !== undefined && columns(place) === columns(otherPlace) ? "moved" : "same";
}

/** What is known of whether its proposal is all that would be done. */
export function proofOf({ whole, proof, doubt, reported }: Proof): Proof {
  return {
    ...(whole === undefined ? {} : { whole }),
    ...(proof === undefined ? {} : { proof }),
    ...(doubt === undefined ? {} : { doubt }),
    ...(reported === undefined ? {} : { reported }),
  };
}

type Proof = Pick<Question, "whole" | "proof" | "doubt" | "reported">;
