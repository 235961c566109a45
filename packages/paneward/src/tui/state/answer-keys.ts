import type { Question } from "@paneward/sdk";
import { deniesWithWords, needsReading, type Row, takesText } from "@paneward/sdk/view";
import type { Answer, Next } from "./effects.ts";
import type { Action } from "./keys.ts";
import { editLine, emptyLine, textOf } from "./line-editor.ts";
import { shownRows } from "./lines.ts";
import { answerArea, drawnLines, lastTop, questionLines, questionRoom, screenToRead } from "./question-lines.ts";
import { idOf, listMode, type Mode, type State } from "./state.ts";

export type Answering = Extract<Mode, { kind: "answer" }>;

/** Nothing of a question has been on the screen yet. */
export const unread: Pick<Answering, "shown" | "asksRead"> = { shown: new Set(), asksRead: false };

/** Opens a row's question. The end of a screen that must be read comes first: it has the dialog. */
export function openQuestion(state: State, row: Row): State | undefined {
  const { question } = row;
  if (!question) return undefined;
  const ticked = question.options.flatMap(({ checked, number }) => (checked === true ? [number] : []));
  const at = preselected(question);
  const top = question.whole === false ? scrollableTo(state, question) : 0;
  return { ...state, mode: { kind: "answer", row: row.key, question, at, ticked, top, line: emptyLine, ...unread } };
}

/** The option selected in the program itself; a denial, where Enter must not allow what was not read. */
export function preselected(question: Question): number {
  const { options } = question;
  if (question.whole === false) {
    const denial = options.findIndex(({ number }) => !needsReading(question, { options: [number] }));
    if (denial >= 0) return denial;
  }
  return Math.max(
    0,
    options.findIndex(({ selected }) => selected === true),
  );
}

/** How many choices there are: the options, and free text where that is accepted. */
export function choicesOf(question: Question): number {
  return question.options.length + Number(takesText(question));
}

export function pressInAnswer(state: State, before: Answering, action: Action | undefined, key: string): Next<State> {
  // What was drawn until this key has been shown.
  const mode = { ...before, shown: shownSoFar(state, before), asksRead: false };
  if (before.asksRead)
    return action === "has-read" ? giveAnswer(state, mode, true) : { state: { ...state, mode }, effects: [] };
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
      return to({ top: Math.min(mode.top + scrolledLines, scrollableTo(state, mode.question)) });
    case "proposal-up":
      return to({ top: Math.max(0, mode.top - scrolledLines) });
    case "give":
      return giveAnswer(state, mode, false);
    case "tick":
      if (!isTyping && mode.question.kind === "multi_choice") return to({ ticked: toggleTick(mode, mode.at) });
  }
  const named = isTyping ? -1 : options.findIndex((one) => String(one.number) === key || one.key === key);
  if (named >= 0) {
    return to({ at: named, ...(mode.question.kind === "multi_choice" && { ticked: toggleTick(mode, named) }) });
  }
  // A letter such as y must not begin a refusal: its line is chosen first.
  const mayType = isTyping || !deniesWithWords(mode.question);
  const line = takesText(mode.question) && mayType ? editLine(mode.line, key) : undefined;
  return to(line ? { at: options.length, line } : {});
}

const scrolledLines = 5;

function scrollableTo(state: State, question: Question): number {
  const { lines, rows } = linesIn(state, question);
  return lastTop(lines, rows);
}

function linesIn(state: State, question: Question) {
  const { rows, columns } = questionRoom(answerArea(state), choicesOf(question));
  return { rows, lines: questionLines(question, columns, screenToRead(question, state)) };
}

function shownSoFar(state: State, { question, top, shown }: Answering): ReadonlySet<string> {
  if (question.whole !== false) return shown;
  const { lines, rows } = linesIn(state, question);
  return new Set([...shown, ...drawnLines(lines, top, rows).drawn.map(({ text }) => text)]);
}

function toggleTick({ question, ticked }: Answering, at: number): readonly number[] {
  const number = question.options[at]?.number;
  if (number === undefined) return ticked;
  return ticked.includes(number) ? ticked.filter((one) => one !== number) : [...ticked, number];
}

function giveAnswer(state: State, mode: Answering, hasRead: boolean): Next<State> {
  const row = shownRows(state).find(({ key }) => key === mode.row);
  const next = { ...state, mode: listMode };
  if (!row) return { state: { ...next, message: { text: "the row is gone", isFailure: true } }, effects: [] };
  const answer = answerOf(mode);
  const stay = (text: string, isFailure: boolean, asksRead = false): Next<State> => {
    return { state: { ...state, mode: { ...mode, asksRead }, message: { text, isFailure } }, effects: [] };
  };
  if (typeof answer === "string") return stay(answer, true);
  const { question } = mode;
  const call = { operation: "respond", id: idOf(row), question: question.id, answer } as const;
  if (!needsReading(question, chosenBy(question, answer))) return { state: next, effects: [{ kind: "call", call }] };
  // Only a screen that is shown here has been read here.
  if (!screenToRead(question, state)) {
    return stay("not all of it is shown here: attach to the terminal to read its screen and allow it", true);
  }
  const hidden = linesIn(state, question).lines.filter(({ text }) => !mode.shown.has(text)).length;
  if (hidden > 0) return stay(`${hidden} lines of it were not shown yet: read them with PageUp and PageDown`, true);
  if (!hasRead)
    return stay("have you read all of it, its screen included? y allows it, other keys go back", false, true);
  return { state: next, effects: [{ kind: "call", call: { ...call, seenScreen: question.screenHash } }] };
}

function chosenBy({ options }: Question, answer: Answer): Parameters<typeof needsReading>[1] {
  if ("text" in answer) return answer;
  if ("deny" in answer) return { does: "deny" };
  if ("option" in answer) return { options: [answer.option] };
  return { options: answer.several.flatMap((at) => options[at]?.number ?? []) };
}

/** The answer, or a message about what is missing. */
function answerOf({ question, at, ticked, line }: Answering): Answer | string {
  const option = question.options[at];
  if (!option) {
    const text = textOf(line);
    if (text === "" && question.kind !== "press_key") return "no text yet";
    return deniesWithWords(question) ? { deny: text } : { text };
  }
  if (question.kind !== "multi_choice") return { option: option.number };
  const indices = question.options.flatMap(({ number }, index) => (ticked.includes(number) ? [index] : []));
  return indices.length === 0 ? "no option is ticked: Space ticks one" : { several: indices };
}
