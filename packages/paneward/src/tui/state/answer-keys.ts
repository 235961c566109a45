import type { Row } from "@paneward/sdk/view";
import type { Next } from "./effects.ts";
import type { Action } from "./keys.ts";
import { edited, emptyLine, textOf } from "./line-editor.ts";
import { shownRows } from "./lines.ts";
import { idOf, listMode, type Mode, type State } from "./state.ts";

type Answering = Extract<Mode, { kind: "answer" }>;

/** Shows a row's open question, with the option chosen that its own program has chosen. */
export function openQuestion(state: State, row: Row): State | undefined {
  const { question } = row;
  if (!question) return undefined;
  const at = Math.max(
    0,
    question.options.findIndex(({ selected }) => selected === true),
  );
  return { ...state, mode: { kind: "answer", row: row.key, question, at, line: emptyLine } };
}

/** How many things can be chosen: the options, and words of one's own where those are an answer. */
function choicesOf({ question }: Answering): number {
  return question.options.length + Number(takesWords(question));
}

export function takesWords({ freeText, options }: Answering["question"]): boolean {
  return freeText || options.length === 0;
}

export function pressInAnswer(state: State, mode: Answering, action: Action | undefined, key: string): Next<State> {
  const { options } = mode.question;
  const to = (at: number) => ({ state: { ...state, mode: { ...mode, at } }, effects: [] });
  const count = choicesOf(mode);
  switch (action) {
    case "leave":
      return { state: { ...state, mode: listMode }, effects: [] };
    case "option-up":
      return to((mode.at + count - 1) % count);
    case "option-down":
      return to((mode.at + 1) % count);
    case "give":
      return given(state, mode);
  }
  const isWriting = mode.at >= options.length;
  const named = isWriting ? -1 : options.findIndex((one) => String(one.number) === key || one.key === key);
  if (named >= 0) return to(named);
  const line = takesWords(mode.question) ? edited(mode.line, key) : undefined;
  return line
    ? { state: { ...state, mode: { ...mode, at: options.length, line } }, effects: [] }
    : { state, effects: [] };
}

function given(state: State, mode: Answering): Next<State> {
  const row = shownRows(state).find(({ key }) => key === mode.row);
  const next = { ...state, mode: listMode };
  if (!row) return { state: { ...next, message: { text: "it is gone", isFailure: true } }, effects: [] };
  const option = mode.question.options[mode.at];
  const answer = option ? { option: option.number } : { text: textOf(mode.line) };
  const id = row.agentId ?? idOf(row);
  return {
    state: next,
    effects: [{ kind: "call", call: { operation: "respond", id, question: mode.question.id, answer } }],
  };
}
