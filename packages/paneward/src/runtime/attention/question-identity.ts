import { createHash } from "node:crypto";
import type { ShownQuestion } from "../../agents/agent.ts";

/** A question with the hash by which it is known again; empty when only a hook told of it. */
export interface IdentifiedQuestion extends ShownQuestion {
  readonly hash: string;
}

export function withHash(asked: ShownQuestion): IdentifiedQuestion {
  return { ...asked, hash: screenHash(asked) };
}

/** Of the lines that are a question, with the place where they stand if that is known. No lines, no hash. */
export function screenHash({ region, at }: Pick<ShownQuestion, "region" | "at">): string {
  if (region === "") return "";
  const hash = createHash("sha256").update(region).digest("hex").slice(0, 32);
  return at === undefined ? hash : `${hash}@${at}`;
}

/** How two sights of a screen compare: the same words may stand on another line, and then somebody asks anew. */
export function compareHashes(one: string, other: string): "same" | "moved" | "different" {
  if (one === other) return "same";
  const [words, place] = one.split("@");
  const [otherWords, otherPlace] = other.split("@");
  if (words !== otherWords) return "different";
  const columns = (at: string | undefined) => at?.split("x")[0];
  // In another width every line stands elsewhere.
  return columns(place) !== undefined && columns(place) === columns(otherPlace) ? "moved" : "same";
}
