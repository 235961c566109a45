import type { HookFacts, HookSettings } from "../agent.ts";

// Without the events of the model: they fire for every chunk of an answer and would slow it down.
const events = [
  "SessionStart",
  "SessionEnd",
  "BeforeAgent",
  "AfterAgent",
  "BeforeTool",
  "AfterTool",
  "PreCompress",
  "Notification",
] as const;

/** Gemini counts timeouts in milliseconds, and shows a hook by its name. */
export function geminiHooks({ reportCommand }: Pick<HookFacts, "reportCommand">): HookSettings {
  const hook = { name: "paneward", type: "command", command: reportCommand, timeout: 5_000 } as const;
  return Object.fromEntries(events.map((event) => [event, [{ hooks: [hook] }]]));
}
