import { type Answering, pointedAt } from "./answer-keys.ts";
import { listMode, type State } from "./state.ts";

/** A question that is being looked at, as it is now: it may have been answered elsewhere, or tell more than before. */
export function withQuestionNow(state: State): State {
  const { mode, view } = state;
  if (mode.kind !== "answer") return state;
  const question = view.questions.get(mode.question.id);
  if (question === mode.question) return state;
  if (question) return { ...state, mode: changedTo(mode, question) };
  const text = `the question was answered elsewhere or is gone${closedBy(state, mode.question.id)}`;
  return { ...state, mode: listMode, message: { text, isFailure: false } };
}

// The cursor stays on the same words: another option may have got their number.
function changedTo(mode: Answering, question: Answering["question"]): Answering {
  const label = mode.question.options[mode.at]?.label;
  if (label === undefined) return { ...mode, question, at: question.options.length };
  const at = question.options.findIndex((option) => option.label === label);
  const isSame = mode.question.options.every((option, index) => option.label === question.options[index]?.label);
  return { ...mode, question, at: at < 0 ? pointedAt(question) : at, ticked: isSame ? mode.ticked : [] };
}

function closedBy({ view }: State, id: string): string {
  const event = view.recent.findLast(({ type, data }) => type === "question_closed" && data.question.id === id);
  return event?.type === "question_closed" ? `: ${event.data.by}` : "";
}
