import type { Hooked, HookFacts } from "../agent.ts";

const telling = [
  "SessionStart",
  "SessionEnd",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "Notification",
  "Stop",
  "StopFailure",
  "PreCompact",
  "PostCompact",
  "Elicitation",
  "ElicitationResult",
] as const;

/**
 * Hooks in `--settings` are added to the user's own. The hook of a permission may wait: the dialog stands on the screen
 * meanwhile, and whoever answers first wins.
 */
export function withClaudeHooks(cmd: readonly string[], { tell, ask }: HookFacts): Hooked {
  const run = (command: string, timeout: number) => [{ hooks: [{ type: "command", command, timeout }] }];
  const hooks = {
    ...Object.fromEntries(telling.map((event) => [event, run(tell, 5)])),
    PermissionRequest: run(ask, 86_400),
  };
  return { cmd: [...cmd, "--settings", JSON.stringify({ hooks })] };
}
