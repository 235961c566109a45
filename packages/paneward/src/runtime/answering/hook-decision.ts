import type { Question } from "@paneward/sdk";
import type { ShownQuestion } from "../../agents/agent.ts";
import type { GivenAnswer } from "../../model/answer.ts";
import type { Decision } from "./hook-answers.ts";

/** The answer as a decision for the blocking hook that asked; undefined when only keys can give this answer. */
export function decisionOf(
  { kind }: Pick<Question, "kind">,
  asked: Pick<ShownQuestion, "text" | "options">,
  answer: GivenAnswer,
): Decision | undefined {
  if (kind === "permission") {
    // Other options add rules or change modes: a hook cannot say that.
    if (answer.kind === "approve") return { behavior: "allow" };
    return answer.kind === "deny" ? { behavior: "deny", message: answer.message ?? "the person said no" } : undefined;
  }
  if (kind !== "choice") return undefined;
  if (answer.kind === "text") return { behavior: "allow", answers: { [asked.text]: answer.text } };
  if (answer.kind !== "option") return undefined;
  // The hook has the whole labels, where a narrow screen cuts them. Options that only the dialog has are chosen by keys.
  const label = asked.options.find(({ number }) => number === answer.number)?.label;
  return label === undefined ? undefined : { behavior: "allow", answers: { [asked.text]: label } };
}
