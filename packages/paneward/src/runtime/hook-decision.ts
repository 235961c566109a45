import type { Question } from "@paneward/sdk";
import type { GivenAnswer } from "../model/given-answer.ts";
import type { Decision } from "./hook-answers.ts";

/** An answer as an agent's blocking hook takes it; undefined when only keys can say it. */
export function decisionOf({ kind, text, options }: Question, answer: GivenAnswer): Decision | undefined {
  const chosen = answer.kind === "option" ? options.findIndex(({ number }) => number === answer.number) : -1;
  if (kind === "permission") {
    // The options between yes and no add rules or change modes: a hook cannot say that.
    if (chosen === 0) return { behavior: "allow" };
    if (chosen === options.length - 1 && chosen > 0) return { behavior: "deny", message: "the person said no" };
    return answer.kind === "text" ? { behavior: "deny", message: answer.text } : undefined;
  }
  if (kind !== "choice") return undefined;
  if (answer.kind === "text") return { behavior: "allow", answers: { [text]: answer.text } };
  const label = options[chosen]?.label;
  return label === undefined || /^(Type something|Chat about this)/.test(label)
    ? undefined
    : { behavior: "allow", answers: { [text]: label } };
}
