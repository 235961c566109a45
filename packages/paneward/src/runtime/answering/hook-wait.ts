import type { AskedNow, HookPayload } from "../../agents/agent.ts";
import { type Likeness, told } from "../questions/same-question.ts";
import type { Runtime } from "../world.ts";
import type { Decision, WaitingHook } from "./hook-answers.ts";

/** Waits in an agent's hook until somebody answers its question; undefined when nobody does by this way. */
export function waitForDecision(
  rt: Runtime,
  terminal: string,
  asked: AskedNow,
  signal: AbortSignal,
): Promise<Decision | undefined> {
  const { hook, decided } = rt.hookAnswers.enter(terminal, asked, signal);
  let idleSince = rt.clock.now();
  // The hook comes before the dialog is drawn, and tools that run side by side wait in line for theirs.
  const look = () => {
    const question = rt.questions.of(terminal);
    if (question) idleSince = rt.clock.now();
    if (question && hook.question === undefined && isOf(rt, hook, told(question, asked))) hook.question = question.id;
    // Somebody took it back before it could be asked: nobody will answer.
    if (!question && hook.question === undefined && rt.clock.now() > idleSince + undrawnMs) hook.end(undefined);
  };
  const stop = rt.store.onEvents(look);
  const timer = setInterval(look, 1_000).unref();
  look();
  return decided.finally(() => {
    stop();
    clearInterval(timer);
  });
}

// What names neither a command nor a file is only known by being alone.
function isOf(rt: Runtime, hook: WaitingHook<AskedNow>, likeness: Likeness): boolean {
  if (likeness !== "maybe") return likeness === "yes";
  const same = JSON.stringify(hook.asked);
  return rt.hookAnswers.in(hook.terminal).every(({ asked }) => JSON.stringify(asked) === same);
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
