import { type Answering, preselected, unread } from "./answer-keys.ts";
import { listMode, type State } from "./state.ts";

/** Updates the open question from the view: it may have been answered elsewhere, or have more details. */
export function refreshQuestion(state: State): State {
  const { mode, view } = state;
  if (mode.kind !== "answer") return state;
  const question = view.questions.get(mode.question.id);
  if (question === mode.question) return state;
  if (question) return { ...state, mode: withNewQuestion(mode, question) };
  const text = `the question was answered elsewhere or is gone${closedBy(state, mode.question.id)}`;
  return { ...state, mode: listMode, message: { text, isFailure: false } };
}

// Keep the cursor on the same label: the option's number may have changed.
function withNewQuestion(before: Answering, question: Answering["question"]): Answering {
  // Another screen has not been read.
  const isSameScreen = before.question.screenHash === question.screenHash && before.question.whole === question.whole;
  const mode = isSameScreen ? before : { ...before, ...unread };
  const label = mode.question.options[mode.at]?.label;
  if (label === undefined) return { ...mode, question, at: question.options.length };
  const at = question.options.findIndex((option) => option.label === label);
  const isSame = mode.question.options.every((option, index) => option.label === question.options[index]?.label);
  return { ...mode, question, at: at < 0 ? preselected(question) : at, ticked: isSame ? mode.ticked : [] };
}

function closedBy({ view }: State, id: string): string {
  const event = view.recent.findLast(({ type, data }) => type === "question_closed" && data.question.id === id);
  return event?.type === "question_closed" ? `: ${event.data.by}` : "";
}
