import type { GivenAnswer } from "../model/answer.ts";
import type { KeyStep, ShownQuestion } from "./agent.ts";

/** The keys for a numbered dialog that acts on a digit at once. Undefined when there is no such option. */
export function byDigit(question: ShownQuestion, answer: GivenAnswer): readonly KeyStep[] | undefined {
  if (answer.kind !== "option" || !hasOption(question, answer.number) || answer.number > 9) return undefined;
  return [{ keys: [String(answer.number)] }];
}

/** The keys for a list with a pointer, moved from where the screen shows it. */
export function byArrows(
  question: ShownQuestion,
  answer: GivenAnswer,
  [back, forth]: readonly [string, string] = ["Up", "Down"],
): readonly KeyStep[] | undefined {
  if (answer.kind !== "option" || !hasOption(question, answer.number)) return undefined;
  const at = question.options.find(({ selected }) => selected)?.number ?? 1;
  const way = answer.number - at;
  const moves = Array.from({ length: Math.abs(way) }, () => ({ keys: [way < 0 ? back : forth] }));
  return [...moves, { keys: ["Enter"] }];
}

/** The keys for a free-text answer: the option that takes text, then the text. */
export function byFreeText(
  question: ShownQuestion,
  answer: GivenAnswer,
  label: RegExp,
): readonly KeyStep[] | undefined {
  const own = question.options.find((option) => label.test(option.label));
  if (answer.kind !== "text" || !own) return undefined;
  return [{ keys: [String(own.number)] }, { pauseMs: 400 }, ...intoLine(answer.text)];
}

export function intoLine(text: string): readonly KeyStep[] {
  return [{ text }, { pauseMs: 300 }, { keys: ["Enter"] }];
}

/** The digits that tick exactly these boxes, then the given keys. Undefined when there is no such box. */
export function byTicks(
  question: ShownQuestion,
  numbers: readonly number[],
  then: readonly KeyStep[],
): readonly KeyStep[] | undefined {
  if (numbers.some((number) => !hasOption(question, number) || number > 9)) return undefined;
  const wrong = question.options.filter(({ number, checked }) => {
    return checked !== undefined && checked !== numbers.includes(number);
  });
  return [...wrong.map(({ number }) => ({ keys: [String(number)] })), ...then];
}

function hasOption(question: ShownQuestion, number: number): boolean {
  return question.options.some((option) => option.number === number);
}
