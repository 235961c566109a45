import type { GivenAnswer } from "../../model/answer.ts";
import type { KeyStep, ShownQuestion } from "../agent.ts";
import { byArrows, byDigit, byFreeText, byTicks } from "../answering.ts";

/** A digit answers at once. Tab leaves a list of boxes for a second dialog, which ignores Enter in its first second. */
export function answerClaude(question: ShownQuestion, answer: GivenAnswer): readonly KeyStep[] | undefined {
  if (question.kind === "confirm") return byArrows(question, answer);
  if (question.kind === "multi_choice") {
    const numbers = answer.kind === "options" ? answer.numbers : answer.kind === "option" ? [answer.number] : undefined;
    return numbers && byTicks(question, numbers, [{ keys: ["Tab"] }, { pauseMs: 1_000 }, { keys: ["Enter"] }]);
  }
  return answer.kind === "text" ? byFreeText(question, answer, /^Type something/) : byDigit(question, answer);
}
