import type { GivenAnswer } from "../../model/answer.ts";
import type { KeyStep, ShownQuestion } from "../agent.ts";
import { byDigit, byFreeText, byTicks, intoLine } from "../answering.ts";

/** A digit answers at once. In a list of boxes it ticks one, and "Done" is one step up from the first. */
export function answerGemini(question: ShownQuestion, answer: GivenAnswer): readonly KeyStep[] | undefined {
  if (question.kind === "text") return answer.kind === "text" ? intoLine(answer.text) : undefined;
  if (question.kind === "multi_choice") {
    const numbers = answer.kind === "options" ? answer.numbers : answer.kind === "option" ? [answer.number] : undefined;
    const ticks = numbers && byTicks(question, numbers, []);
    return ticks && [...ticks, ...toDone(ticks, question), { keys: ["Enter"] }];
  }
  return answer.kind === "text" ? byFreeText(question, answer, /custom value/) : byDigit(question, answer);
}

// The pointer follows the digit that was pressed last.
function toDone(ticks: readonly KeyStep[], question: ShownQuestion): readonly KeyStep[] {
  const last = ticks.at(-1);
  const pressed = last && "keys" in last ? Number(last.keys[0]) : undefined;
  const at = pressed ?? question.options.find(({ selected }) => selected)?.number ?? 1;
  return Array.from({ length: at }, () => ({ keys: ["Up"] }));
}
