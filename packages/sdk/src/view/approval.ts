import type { Proposal, Question, QuestionOption } from "../shapes.ts";
import { proposalText } from "./proposal-words.ts";

type Asked = Pick<Question, "kind" | "options" | "whole">;

/** An answer by the numbers of its options, by what they do, or in words. */
export interface ChosenAnswer {
  readonly options?: readonly number[];
  readonly does?: "approve" | "deny";
  readonly text?: string | undefined;
}

/**
 * Whether this answer may allow something that is not shown whole. It then needs a person who has read the screen;
 * denying never does.
 */
export function needsReading({ whole, options }: Asked, { options: chosen = [], does, text }: ChosenAnswer): boolean {
  if (whole !== false) return false;
  if (does !== undefined) return does === "approve";
  if (chosen.length === 0) return text === undefined || text.trim() === "" || consents.test(text.trim());
  return !chosen.every((number) => options.some((option) => option.number === number && denies(option)));
}

function denies({ does, label }: QuestionOption): boolean {
  return does === undefined ? /^(no|deny|reject|cancel|abort)\b/i.test(label) : does === "deny";
}

// Other words are a refusal with its reason, for every agent that takes words at all.
const consents = /^(y|ye[sp]|yeah|ok(ay)?|sure|allow|approve|proceed|accept|go( ahead| on)?|continue|\d+)\b.{0,40}$/i;

/** One line about a proposal that is not shown whole; undefined when it is. */
export function doubtWords({ whole, doubt }: Pick<Question, "whole" | "doubt">): string | undefined {
  return whole === false ? `may be incomplete: ${doubt ?? readIt}` : undefined;
}

/** The same as the reason of a refusal. */
export function unprovedWords({ doubt }: Pick<Question, "doubt">): string {
  return `Paneward cannot prove that the whole command is shown: ${doubt ?? readIt}`;
}

const readIt = "read the screen";

/** What the agent itself reported, where its screen shows something else. */
export function reportedWords({ reported }: { readonly reported?: Proposal | undefined }): string | undefined {
  if (!reported) return undefined;
  const words = [reported.tool, proposalText(reported)].filter((one) => one !== undefined && one !== "");
  return `its own report: ${words.join(": ")}`;
}
