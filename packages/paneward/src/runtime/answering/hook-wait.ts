import type { AskedNow, HookPayload } from "../../agents/agent.ts";
import type { Clock, Store } from "../ports.ts";
import type { QuestionBook } from "../questions/question-book.ts";
import { type Likeness, matchesHook } from "../questions/same-question.ts";

export interface HookWaitDeps {
  readonly clock: Clock;
  readonly store: Store;
  readonly questions: QuestionBook;
  readonly hookAnswers: HookAnswers<AskedNow>;
}

import type { Decision, HookAnswers, WaitingHook } from "./hook-answers.ts";

/** Waits in an agent's hook until somebody answers its question; undefined when nobody does by this way. */
export function waitForDecision(
  deps: HookWaitDeps,
  terminal: string,
  asked: AskedNow,
  signal: AbortSignal,
): Promise<Decision | undefined> {
  const { hook, decided } = deps.hookAnswers.enter(terminal, asked, signal);
  let idleSince = deps.clock.now();
  // The hook comes before the dialog is drawn, and tools that run side by side wait in line for theirs.
  const look = () => {
    const question = deps.questions.of(terminal);
    if (question) idleSince = deps.clock.now();
    if (question && hook.question === undefined && isOf(deps, hook, matchesHook(question, asked)))
      hook.question = question.id;
    // Somebody took it back before it could be asked: nobody will answer.
    if (!question && hook.question === undefined && deps.clock.now() > idleSince + undrawnMs) hook.end(undefined);
  };
  const stop = deps.store.onEvents(look);
  const timer = setInterval(look, 1_000).unref();
  look();
  return decided.finally(() => {
    stop();
    clearInterval(timer);
  });
}

// What names neither a command nor a file is only known by being alone.
function isOf(deps: HookWaitDeps, hook: WaitingHook<AskedNow>, likeness: Likeness): boolean {
  if (likeness !== "maybe") return likeness === "yes";
  const same = JSON.stringify(hook.asked);
  return deps.hookAnswers.in(hook.terminal).every(({ asked }) => JSON.stringify(asked) === same);
}

const undrawnMs = 5_000;

/** What a blocking PermissionRequest hook prints, in the shape that Claude Code and Codex read. */
export function decisionOutput({ behavior, message, answers }: Decision, payload: HookPayload): object {
  const updated = answers && { ...(payload.tool_input as object | undefined), answers };
  return {
    hookSpecificOutput: {
      hookEventName: "PermissionRequest",
      decision: {
        behavior,
        ...(message === undefined ? {} : { message }),
        ...(updated === undefined ? {} : { updatedInput: updated }),
      },
    },
  };
}
