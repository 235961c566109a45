import type { Answer, AskedNow, KeyStep } from "../agent.ts";
import { byArrows, byDigit } from "../answering.ts";

/** A permission takes digits; the dialogs of a first start only move their pointer by them. */
export function answerCodex(question: AskedNow, answer: Answer): readonly KeyStep[] | undefined {
  return question.kind === "permission" ? byDigit(question, answer) : byArrows(question, answer);
}
