import type { HookPayload } from "./reading.ts";

/** The answer that a blocking hook gives its agent, instead of keys. */
export interface Decision {
  readonly behavior: "allow" | "deny";
  /** Text for the agent, with a refusal. */
  readonly message?: string;
  /** Answers to the agent's questions, by the text of the question. */
  readonly answers?: Readonly<Record<string, string>>;
}

/** What a blocking PermissionRequest hook prints, in the shape that Claude Code and Codex read. */
export function permissionDecision({ behavior, message, answers }: Decision, payload: HookPayload): object {
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
