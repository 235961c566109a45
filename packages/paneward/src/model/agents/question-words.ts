import type { Question } from "@paneward/sdk";

/** What a question is about in one line, for readers of the conversation: what would be done, if that is known. */
export function questionWords({ kind, text, proposal = {} }: Pick<Question, "kind" | "text" | "proposal">): string {
  const done = proposal.command ?? proposal.path;
  if (kind !== "permission" || done === undefined) return text;
  return proposal.tool === undefined ? done : `${proposal.tool}: ${done}`;
}
