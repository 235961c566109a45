import type { AttentionChange } from "../../model/attention/change.ts";
import type { AgentBook } from "../agents/agent-book.ts";
import type { IdentifiedQuestion } from "../attention/question-identity.ts";
import type { Store } from "../ports.ts";
import type { QuestionBook } from "./question-book.ts";

export interface VerdictDeps {
  readonly store: Store;
  readonly questions: QuestionBook;
  readonly agents: AgentBook;
}

/** Applies a changed verdict to questions and agents. The question is opened before the status says so. */
export function applyVerdict(deps: VerdictDeps, change: AttentionChange<IdentifiedQuestion>): void {
  const terminal = deps.store.terminal(change.terminal);
  if (terminal?.phase !== "running") return;
  if (change.says === "needs_input" && change.question) {
    deps.questions.asked(terminal, change.question, change.why.source, deps.agents.of(terminal.id)?.id);
  } else if (change.says !== "unknown") {
    deps.questions.close(terminal.id, goneBy[change.says]);
  }
  const openQuestion = deps.questions.of(terminal.id);
  // The boxes of a question that is being answered are ticked one after the other: it stays the same question.
  if (change.says === "needs_input" && openQuestion?.state === "answering") return;
  deps.agents.judged(change, openQuestion);
}

const goneBy = {
  working: "the program continued",
  idle: "the program no longer asks",
  needs_input: "it waits for something else",
} as const;
