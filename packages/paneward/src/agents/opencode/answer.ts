import type { GivenAnswer } from "../../model/answer.ts";
import type { KeyStep, ShownQuestion } from "../agent.ts";
import { byArrows, byDigit, byFreeText, byTicks } from "../answering.ts";

/**
 * A question takes digits, a permission only arrows. Only colour shows its pointer, so it is assumed to be on the first
 * option. Over HTTP no pointer is needed.
 */
export function answerOpencode(question: ShownQuestion, answer: GivenAnswer): readonly KeyStep[] | undefined {
  if (question.kind === "permission") return byArrows(question, answer, ["Left", "Right"]);
  if (question.kind === "multi_choice") {
    const numbers = answer.kind === "options" ? answer.numbers : answer.kind === "option" ? [answer.number] : undefined;
    return numbers && byTicks(question, numbers, [{ keys: ["Tab"] }, { pauseMs: 300 }, { keys: ["Enter"] }]);
  }
  return answer.kind === "text" ? byFreeText(question, answer, /^Type your own/) : byDigit(question, answer);
}
