import { type ErrorCode, PanewardError } from "@paneward/sdk";
import { callOf } from "./tool.ts";

/** A failure as a result that a model can act on: what happened, what to do, what to call. */
export function failureResult(error: unknown, tool: string) {
  const failure = error instanceof PanewardError ? error : unforeseen(error);
  const { code, message, hint } = failure;
  const next = nextAfter(code, tool);
  const lines = [message, `Hint: ${hint}`, ...(next === undefined ? [] : [`Next: ${next}`])];
  return {
    isError: true,
    content: [{ type: "text" as const, text: lines.join("\n") }],
    structuredContent: { error: failure.toBody().error, ...(next === undefined ? {} : { next }) },
  };
}

/** Looking is the useful call after most failures; where only a person can help there is none. */
function nextAfter(code: ErrorCode, tool: string): string | undefined {
  const look = callOf(tool.startsWith("task_") ? "task_list" : "terminal_list", {});
  switch (code) {
    case "unauthorized":
    case "not_allowed":
    case "storage_full":
    case "bad_input":
    case "too_large":
      return undefined;
    case "unavailable":
    case "rate_limited":
    case "storage_busy":
      return `${tool} again in a moment, with the same input`;
    case "conflict":
      return `${tool} again, when the conflict is resolved`;
    default:
      return look;
  }
}

function unforeseen(cause: unknown): PanewardError {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new PanewardError("unexpected", message, { cause });
}
