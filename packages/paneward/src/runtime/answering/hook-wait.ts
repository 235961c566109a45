import type { HookPayload, ShownQuestion } from "../../agents/agent.ts";
import { permissionDecision } from "../../agents/hook-decision.ts";
import { agentNamed } from "../../agents/registry.ts";
import { dialogDrawnMs } from "../../model/timing.ts";
import type { Clock, Store } from "../ports.ts";
import type { QuestionBook } from "../questions/question-book.ts";
import { type Likeness, matchesHook } from "../questions/same-question.ts";
import type { Decision, HookAnswers, WaitingHook } from "./hook-answers.ts";

export interface HookWaitDeps {
  readonly clock: Clock;
  readonly store: Pick<Store, "onEvents">;
  readonly questions: Pick<QuestionBook, "of">;
  readonly hookAnswers: HookAnswers<ShownQuestion>;
}

/** Waits in an agent's hook until its question is answered; undefined when it is not answered this way. */
export function waitForDecision(
  deps: HookWaitDeps,
  terminal: string,
  asked: ShownQuestion,
  signal: AbortSignal,
): Promise<Decision | undefined> {
  const { hook, decided } = deps.hookAnswers.enter(terminal, asked, signal);
  let idleSince = deps.clock.monotonic();
  // The hook comes before the dialog is drawn, and tools that run side by side wait in line for theirs.
  const look = () => {
    const question = deps.questions.of(terminal);
    if (question) idleSince = deps.clock.monotonic();
    if (question && hook.question === undefined && isOf(deps, hook, matchesHook(question, asked)))
      hook.question = question.id;
    // It was withdrawn before it could be asked: no answer will come.
    const isIdle = deps.clock.monotonic() > idleSince + dialogDrawnMs;
    if (!question && hook.question === undefined && isIdle) hook.end(undefined);
  };
  const stop = deps.store.onEvents(look);
  const cancel = deps.clock.interval(1_000, look);
  look();
  return decided.finally(() => {
    stop();
    cancel();
  });
}

// What names neither a command nor a file is only known by being alone.
function isOf(deps: HookWaitDeps, hook: WaitingHook<ShownQuestion>, likeness: Likeness): boolean {
  if (likeness !== "maybe") return likeness === "yes";
  const same = JSON.stringify(hook.asked);
  return deps.hookAnswers.in(hook.terminal).every(({ asked }) => JSON.stringify(asked) === same);
}

/** What a blocking hook of this kind of agent prints for a decision; undefined when its hooks cannot decide. */
export function decisionPrinter(kind: string): ((decision: Decision, payload: HookPayload) => object) | undefined {
  const agent = agentNamed(kind, {});
  return agent?.readHook ? agent.hookDecision : permissionDecision;
}
