import type { GivenAnswer } from "../../model/answer.ts";
import type { KeyStep, ShownQuestion } from "../agent.ts";
import { byArrows, byDigit, intoLine } from "../answering.ts";

/** A digit answers a permission; in the dialogs of a first start it only moves the pointer. */
export function answerCodex(question: ShownQuestion, answer: GivenAnswer): readonly KeyStep[] | undefined {
  if (question.kind === "permission") return byDigit(question, answer);
  return answer.kind === "text" ? inNotes(question, answer.text) : byArrows(question, answer);
}

// Free text goes into the notes of the option "None of the above".
function inNotes(question: ShownQuestion, text: string): readonly KeyStep[] | undefined {
  const none = question.options.find(({ label }) => label === "None of the above");
  const moves = none && question.freeText ? byArrows(question, { kind: "option", number: none.number }) : undefined;
  return moves && [...moves.slice(0, -1), { keys: ["Tab"] }, { pauseMs: 300 }, ...intoLine(text)];
}
