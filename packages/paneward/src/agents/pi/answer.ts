import type { GivenAnswer } from "../../model/answer.ts";
import type { KeyStep, ShownQuestion } from "../agent.ts";
import { byArrows, intoLine } from "../answering.ts";

export function answerPi(question: ShownQuestion, answer: GivenAnswer): readonly KeyStep[] | undefined {
  if (question.kind === "text") return answer.kind === "text" ? intoLine(answer.text) : undefined;
  return byArrows(question, answer);
}
