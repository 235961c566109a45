import type { GivenAnswer } from "../../model/answer.ts";
import type { AskedNow, KeyStep } from "../agent.ts";
import { byArrows, byDigit, byTicks, inOwnWords } from "../answering.ts";

/** A digit answers at once. Tab leaves a list of boxes for a second dialog, which ignores Enter in its first second. */
export function answerClaude(question: AskedNow, answer: GivenAnswer): readonly KeyStep[] | undefined {
  if (question.kind === "confirm") return byArrows(question, answer);
  if (question.kind === "multi_choice") {
    const numbers = answer.kind === "options" ? answer.numbers : answer.kind === "option" ? [answer.number] : undefined;
    return numbers && byTicks(question, numbers, [{ keys: ["Tab"] }, { pauseMs: 1_000 }, { keys: ["Enter"] }]);
  }
  return answer.kind === "text" ? inOwnWords(question, answer, /^Type something/) : byDigit(question, answer);
}
