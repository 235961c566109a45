import type { Question } from "@paneward/sdk";
import type { Row } from "@paneward/sdk/view";
import type { Answer, Next } from "./effects.ts";
import type { Action } from "./keys.ts";
import { editLine, emptyLine, textOf } from "./line-editor.ts";
import { shownRows } from "./lines.ts";
import { answerArea, questionLines, questionRoom } from "./question-lines.ts";
import { idOf, listMode, type Mode, type State } from "./state.ts";

export type Answering = Extract<Mode, { kind: "answer" }>;

/** Opens a row's question, with the same option selected as in the program itself. */
export function openQuestion(state: State, row: Row): State | undefined {
  const { question } = row;
  if (!question) return undefined;
  const ticked = question.options.flatMap(({ checked, number }) => (checked === true ? [number] : []));
  const at = preselected(question);
  return { ...state, mode: { kind: "answer", row: row.key, question, at, ticked, top: 0, line: emptyLine } };
}

/** The option selected in the program itself. */
export function preselected({ options }: Question): number {
  return Math.max(
    0,
    options.findIndex(({ selected }) => selected === true),
  );
}

export function takesText({ freeText, options }: Question): boolean {
  return freeText || options.length === 0;
}

/** How many choices there are: the options, and free text where that is accepted. */
export function choicesOf(question: Question): number {
  return question.options.length + Number(takesText(question));
}

export function pressInAnswer(state: State, mode: Answering, action: Action | undefined, key: string): Next<State> {
  const to = (part: Partial<Answering>) => ({ state: { ...state, mode: { ...mode, ...part } }, effects: [] });
  const { options } = mode.question;
  const count = choicesOf(mode.question);
  const isTyping = mode.at >= options.length;
  switch (action) {
    case "leave":
      return { state: { ...state, mode: listMode }, effects: [] };
    case "option-up":
      return to({ at: (mode.at + count - 1) % count });
    case "option-down":
      return to({ at: (mode.at + 1) % count });
    case "proposal-down":
      return to({ top: Math.min(mode.top + scrolledLines, lastTop(state, mode)) });
    case "proposal-up":
      return to({ top: Math.max(0, mode.top - scrolledLines) });
    case "give":
      return giveAnswer(state, mode);
    case "tick":
      if (!isTyping && mode.question.kind === "multi_choice") return to({ ticked: toggleTick(mode, mode.at) });
  }
  const named = isTyping ? -1 : options.findIndex((one) => String(one.number) === key || one.key === key);
  if (named >= 0) {
    return to({ at: named, ...(mode.question.kind === "multi_choice" && { ticked: toggleTick(mode, named) }) });
  }
  const line = takesText(mode.question) ? editLine(mode.line, key) : undefined;
  return line ? to({ at: options.length, line }) : { state, effects: [] };
}

const scrolledLines = 5;

function lastTop(state: State, { question }: Answering): number {
  const { rows, columns } = questionRoom(answerArea(state), choicesOf(question));
  return Math.max(0, questionLines(question, columns).length - rows);
}

function toggleTick({ question, ticked }: Answering, at: number): readonly number[] {
  const number = question.options[at]?.number;
  if (number === undefined) return ticked;
  return ticked.includes(number) ? ticked.filter((one) => one !== number) : [...ticked, number];
}

function giveAnswer(state: State, mode: Answering): Next<State> {
  const row = shownRows(state).find(({ key }) => key === mode.row);
  const next = { ...state, mode: listMode };
  if (!row) return { state: { ...next, message: { text: "the row is gone", isFailure: true } }, effects: [] };
  const answer = answerOf(mode);
  if (typeof answer === "string")
    return { state: { ...state, message: { text: answer, isFailure: true } }, effects: [] };
  return {
    state: next,
    effects: [{ kind: "call", call: { operation: "respond", id: idOf(row), question: mode.question.id, answer } }],
  };
}

/** The answer, or a message about what is missing. */
function answerOf({ question, at, ticked, line }: Answering): Answer | string {
  const option = question.options[at];
  if (!option) {
    const text = textOf(line);
    return text === "" && question.kind !== "press_key" ? "no text yet" : { text };
  }
  if (question.kind !== "multi_choice") return { option: option.number };
  const indices = question.options.flatMap(({ number }, index) => (ticked.includes(number) ? [index] : []));
  return indices.length === 0 ? "no option is ticked: Space ticks one" : { several: indices };
}
