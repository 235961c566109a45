import type { HookFacts, HookSettings } from "../agent.ts";

const events = [
  "SessionStart",
  "SessionEnd",
  "UserPromptSubmit",
  "PreToolUse",
  "PermissionRequest",
  "PostToolUse",
  "Interrupt",
  "Stop",
] as const;

/** Codex draws the dialog of a permission only after its hooks have ended, so none of them may wait for an answer. */
export function codexHooks({ reportCommand }: Pick<HookFacts, "reportCommand">): HookSettings {
  return Object.fromEntries(
    events.map((event) => [event, [{ hooks: [{ type: "command", command: reportCommand, timeout: 5 }] }]]),
  );
}
