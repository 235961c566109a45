import type { Question } from "@paneward/sdk";
import type { HookPayload } from "../agents/agent.ts";
import type { Decision } from "./hook-answers.ts";
import type { Runtime } from "./runtime.ts";

/** Waits in an agent's hook until somebody answers its question; undefined when nobody does by this way. */
export async function waitForDecision(
  rt: Runtime,
  terminal: string,
  signal: AbortSignal,
): Promise<Decision | undefined> {
  const question = await standing(rt, terminal, signal);
  return question && rt.hookAnswers.ask(question, signal);
}

// The hook comes before the dialog is drawn, and the question waits for the dialog.
function standing(rt: Runtime, terminal: string, signal: AbortSignal): Promise<Question | undefined> {
  const there = rt.questions.of(terminal);
  if (there || signal.aborted) return Promise.resolve(there);
  return new Promise((resolve) => {
    const done = (question: Question | undefined) => {
      stop();
      signal.removeEventListener("abort", aborted);
      resolve(question);
    };
    const aborted = () => done(undefined);
    const stop = rt.store.onEvents(() => {
      const question = rt.questions.of(terminal);
      if (question) done(question);
    });
    signal.addEventListener("abort", aborted);
  });
}

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
