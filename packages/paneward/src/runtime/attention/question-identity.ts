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

/**
 * Of the lines that are a question: of what stays the same at any width, then the width and the lines as they are drawn,
 * with their place if that is known. No lines, no hash.
 */
export function screenHash({ region, drawn, at }: Pick<ShownQuestion, "region" | "drawn" | "at">): string {
  if (region === "") return "";
  const exact = drawn ? `.${drawn.columns}.${hashOf(drawn.text)}` : "";
  const hash = `${hashOf(region)}${exact}`;
  return at === undefined ? hash : `${hash}@${at}`;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

/**
 * How two looks at a screen compare. `redrawn`: the same words at another width, where blanks and line ends cannot be
 * compared; two dialogs may look so. `moved`: the same text on another line, which is a new question.
 */
export type Sameness = "same" | "redrawn" | "moved" | "different";

export function compareHashes(one: string, other: string): Sameness {
  if (one === other) return "same";
  const [a, b] = [partsOf(one), partsOf(other)];
  if (a.words !== b.words) return "different";
  if (a.exact !== b.exact) return isOtherWidth(one, other) ? "redrawn" : "different";
  const columns = (at: string | undefined) => at?.split("x")[0];
  // Another width moves every line.
  return columns(a.place) !== undefined && columns(a.place) === columns(b.place) ? "moved" : "same";
}

/** Whether the two were drawn at different widths, or one of them at a width that is not known. */
export function isOtherWidth(one: string, other: string): boolean {
  const [{ columns: a }, { columns: b }] = [partsOf(one), partsOf(other)];
  return a === undefined || b === undefined || a !== b;
}

function partsOf(hash: string) {
  const [text = "", place] = hash.split("@");
  const [words, columns, exact] = text.split(".");
  return { words, columns, exact, place };
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
