import type { HookPayload, ShownQuestion } from "../../agents/agent.ts";
import { permissionDecision } from "../../agents/hook-decision.ts";
import { agentNamed } from "../../agents/registry.ts";
import { dialogDrawnMs } from "../../model/timing.ts";
import type { Clock, Store } from "../ports.ts";
import type { QuestionBook } from "../questions/question-book.ts";
import type { HookRequests } from "../witnesses/hook-requests.ts";
import type { Decision, HookAnswers } from "./hook-answers.ts";

export interface HookWaitDeps {
  readonly clock: Clock;
  readonly store: Pick<Store, "onEvents">;
  readonly questions: Pick<QuestionBook, "of">;
  readonly requests: Pick<HookRequests, "ended">;
  readonly hookAnswers: HookAnswers<ShownQuestion>;
}

/** What a hook waits for. */
export interface AwaitedAnswer {
  readonly terminal: string;
  readonly request: string;
  readonly question: ShownQuestion;
}

/** Waits in an agent's hook until its request is answered; undefined when it is not answered this way. */
export async function waitForDecision(
  deps: HookWaitDeps,
  { terminal, request, question }: AwaitedAnswer,
  signal: AbortSignal,
): Promise<Decision | undefined> {
  const over = new AbortController();
  const decided = deps.hookAnswers.enter(request, question, AbortSignal.any([signal, over.signal]));
  let idleSince = deps.clock.monotonic();
  // The hook comes before the dialog is drawn, and tools that run side by side wait in line for theirs. When nothing is
  // asked for this long, it was withdrawn before it could be asked: no answer will come.
  const look = () => {
    if (deps.questions.of(terminal)) idleSince = deps.clock.monotonic();
    else if (deps.clock.monotonic() > idleSince + dialogDrawnMs) over.abort();
  };
  const stop = deps.store.onEvents(look);
  const cancel = deps.clock.interval(lookEveryMs, look);
  look();
  const decision = await decided;
  stop();
  cancel();
  const isLast = !deps.hookAnswers.isWaiting(request) && !deps.hookAnswers.closed;
  if (!decision && isLast) deps.requests.ended(terminal, request);
  return decision;
}

/** How often it is looked whether a request was withdrawn, beside what the log of events reports. */
const lookEveryMs = 1_000;

/** What a blocking hook of this kind of agent prints for a decision; undefined when its hooks cannot decide. */
export function decisionPrinter(kind: string): ((decision: Decision, payload: HookPayload) => object) | undefined {
  const agent = agentNamed(kind, {});
  return agent?.readHook ? agent.hookDecision : permissionDecision;
}
