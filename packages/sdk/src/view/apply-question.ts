import type { Handlers } from "./handlers.ts";
import { without } from "./view.ts";

export const questionHandlers: Handlers<"question_opened" | "question_changed" | "question_closed"> = {
  question_opened: (view, { question }) => ({
    ...view,
    questions: new Map(view.questions).set(question.id, question),
  }),
  question_changed: (view, { question }) => ({
    ...view,
    questions: new Map(view.questions).set(question.id, question),
  }),
  question_closed: (view, { question }) => ({ ...view, questions: without(view.questions, question.id) }),
};
