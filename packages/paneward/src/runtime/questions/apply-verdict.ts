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

/** What the judge's answer means for questions and agents. The question is there before the status says so. */
export function applyVerdict(deps: VerdictDeps, answer: AttentionChange<IdentifiedQuestion>): void {
  const terminal = deps.store.terminal(answer.terminal);
  if (terminal?.phase !== "running") return;
  if (answer.says === "needs_input" && answer.question) {
    deps.questions.asked(terminal, answer.question, answer.why.source, deps.agents.of(terminal.id)?.id);
  } else if (answer.says !== "unknown") {
    deps.questions.close(terminal.id, goneBy[answer.says]);
  }
  const standing = deps.questions.of(terminal.id);
  // The boxes of a question that is being answered are ticked one after the other: it asks nothing new.
  if (answer.says === "needs_input" && standing?.state === "answering") return;
  deps.agents.judged(answer, standing);
}

const goneBy = {
  working: "the program went on",
  idle: "the program asks no more",
  needs_input: "it waits for something else",
} as const;
