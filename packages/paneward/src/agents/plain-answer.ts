import type { GivenAnswer } from "../model/answer.ts";
import type { KeyStep, ShownQuestion } from "./agent.ts";

/** The keys that answer a program without its own reader: text and Enter, or arrows in a list. */
export function plainAnswer(
  question: Pick<ShownQuestion, "kind" | "options">,
  answer: GivenAnswer,
): readonly KeyStep[] | undefined {
  if (answer.kind === "text") return [...(answer.text === "" ? [] : [{ text: answer.text }]), enter];
  const pointer = question.options.findIndex(({ selected }) => selected);
  if (answer.kind === "approve" || answer.kind === "deny") return undefined;
  if (answer.kind === "options") return ticked(question, answer.numbers, pointer);
  const at = question.options.findIndex(({ number }) => number === answer.number);
  if (at < 0) return undefined;
  if (pointer >= 0) return [...moves(pointer, at), enter];
  const option = question.options[at];
  return [{ text: option?.key ?? String(answer.number) }, enter];
}

const enter: KeyStep = { keys: ["Enter"] };

function moves(from: number, to: number): readonly KeyStep[] {
  const key = to > from ? "Down" : "Up";
  return from === to ? [] : [{ keys: Array.from({ length: Math.abs(to - from) }, () => key) }];
}

function ticked(
  { options }: Pick<ShownQuestion, "options">,
  numbers: readonly number[],
  pointer: number,
): readonly KeyStep[] | undefined {
  if (pointer < 0) return undefined;
  let at = pointer;
  const steps: KeyStep[] = [];
  for (const [index, { number, checked }] of options.entries()) {
    if ((checked ?? false) === numbers.includes(number)) continue;
    steps.push(...moves(at, index), { keys: ["Space"] });
    at = index;
  }
  return [...steps, enter];
}
