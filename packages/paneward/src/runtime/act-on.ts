import type { Answer } from "./attention.ts";
import type { Runtime } from "./runtime.ts";

/** What the judge's answer means for questions and agents. The question is there before the status says so. */
export function actOn(rt: Runtime, answer: Answer): void {
  const terminal = rt.store.terminal(answer.terminal);
  if (terminal?.phase !== "running") return;
  if (answer.says === "needs_input" && answer.question) {
    rt.questions.asked(terminal, answer.question, answer.why.source, rt.agents.of(terminal.id)?.id);
  } else if (answer.says !== "unknown") {
    rt.questions.close(terminal.id, goneBy[answer.says]);
  }
  rt.agents.judged(answer, rt.questions.of(terminal.id)?.id);
}

const goneBy = {
  working: "the program went on",
  idle: "the program asks no more",
  needs_input: "it waits for something else",
} as const;
