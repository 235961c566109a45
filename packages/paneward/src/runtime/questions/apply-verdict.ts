import type { Answer } from "../attention/attention.ts";
import type { Runtime } from "../world.ts";

/** What the judge's answer means for questions and agents. The question is there before the status says so. */
export function actOn(rt: Runtime, answer: Answer): void {
  const terminal = rt.store.terminal(answer.terminal);
  if (terminal?.phase !== "running") return;
  if (answer.says === "needs_input" && answer.question) {
    rt.questions.asked(terminal, answer.question, answer.why.source, rt.agents.of(terminal.id)?.id);
  } else if (answer.says !== "unknown") {
    rt.questions.close(terminal.id, goneBy[answer.says]);
  }
  const standing = rt.questions.of(terminal.id);
  // The boxes of a question that is being answered are ticked one after the other: it asks nothing new.
  if (answer.says === "needs_input" && standing?.state === "answering") return;
  rt.agents.judged(answer, standing);
}

const goneBy = {
  working: "the program went on",
  idle: "the program asks no more",
  needs_input: "it waits for something else",
} as const;
