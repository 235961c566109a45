import type { Question } from "@paneward/sdk";
import { proposalLine } from "@paneward/sdk/view";

/** What a question is about in one line, for readers of the conversation: what would be done, if that is known. */
export function questionWords({ kind, text, proposal = {} }: Pick<Question, "kind" | "text" | "proposal">): string {
  const done = proposalLine(proposal);
  if (kind !== "permission" || done === undefined) return text;
  return proposal.tool === undefined ? done : `${proposal.tool}: ${done}`;
}
