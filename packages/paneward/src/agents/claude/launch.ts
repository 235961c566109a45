import type { Hooked, HookFacts, HookSettings } from "../agent.ts";
import { hookCommandOf } from "../hook-script.ts";

const reported = [
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

/** The hook of a permission may wait: Claude Code shows its dialog meanwhile, and the first answer wins. */
export function claudeHooks({
  reportCommand,
  waitCommand,
}: Pick<HookFacts, "reportCommand" | "waitCommand">): HookSettings {
  const run = (command: string, timeout: number) => [{ hooks: [{ type: "command", command, timeout } as const] }];
  return {
    ...Object.fromEntries(reported.map((event) => [event, run(reportCommand, 5)])),
    PermissionRequest: run(waitCommand, 86_400),
  };
}

/** The command line of a hook in the plugin. Claude Code puts the folder of the plugin in place of the variable. */
export function pluginHookCommand(mode: "tell" | "ask"): string {
  return hookCommandOf(`"\${CLAUDE_PLUGIN_ROOT}/hooks/hook.sh"`, mode, "claude");
}

/** Hooks in `--settings` are added to the user's own; one that is in both runs once. */
export function withClaudeHooks(cmd: readonly string[], facts: HookFacts): Hooked {
  return { cmd: [...cmd, "--settings", JSON.stringify({ hooks: claudeHooks(facts) })] };
}
