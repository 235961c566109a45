import { type ErrorCode, errorTable, PanewardError, systemFailure } from "@paneward/sdk";
import { callOf } from "./tool.ts";

/** An error as a tool result that a model can act on: what happened, what to do, what to call. */
export function failureResult(error: unknown, tool: string) {
  const failure = error instanceof PanewardError ? error : unexpected(error);
  const { code, message } = failure;
  const hint = hintFor(failure);
  const next = nextAfter(code, tool);
  const lines = [message, `Hint: ${hint}`, ...(next === undefined ? [] : [`Next: ${next}`])];
  return {
    isError: true,
    content: [{ type: "text" as const, text: lines.join("\n") }],
    structuredContent: { error: { ...failure.toBody().error, hint }, ...(next === undefined ? {} : { next }) },
  };
}

/** The default hints name commands; replace them by hints that name tools. */
function hintFor({ code, hint }: PanewardError): string {
  return hint === errorTable[code].hint ? (hints[code] ?? hint) : hint;
}

const hints: Partial<Readonly<Record<ErrorCode, string>>> = {
  bad_input: "correct the input and call again",
  not_found: "terminal_list and task_list show what exists",
  unavailable: "a person can find out what is missing: `paneward doctor`",
  outcome_unknown: "it may have happened: check with terminal_list or terminal_screen before you try again",
  wrong_state: "terminal_list and task_list show its state and why",
  rate_limited: "wait a moment; use terminal_wait instead of polling",
};

/** After most errors, listing helps; none is suggested where only a person can help. */
function nextAfter(code: ErrorCode, tool: string): string | undefined {
  const look = callOf(lookFor(tool), {});
  switch (code) {
    case "unauthorized":
    case "not_allowed":
    case "untrusted":
    case "storage_full":
    case "storage_damaged":
    case "storage_newer":
    case "bad_input":
    case "too_large":
      return undefined;
    case "unavailable":
      // Retrying does not bring back a question or a program that is gone.
      return tool === "agent_respond" ? look : `${tool} again in a moment, with the same input`;
    case "rate_limited":
    case "storage_busy":
      return `${tool} again in a moment, with the same input`;
    case "conflict":
      return `${tool} again, when the conflict is resolved`;
    default:
      return look;
  }
}

function lookFor(tool: string): string {
  if (tool.startsWith("task_")) return "task_list";
  return tool.startsWith("thread_") ? "thread_read" : "terminal_list";
}

function unexpected(cause: unknown): PanewardError {
  const refused = systemFailure(cause);
  if (refused) return refused;
  const message = cause instanceof Error ? cause.message : String(cause);
  return new PanewardError("unexpected", message, { cause });
}
