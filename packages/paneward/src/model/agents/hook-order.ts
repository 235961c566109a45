import { toolBatchMs } from "../timing.ts";

/** A dialog that hooks told of and that stands until its own tool goes on. */
export interface Awaiting {
  readonly tool: string;
  readonly at: number;
}

export interface HookMoment {
  readonly event: string;
  /** The tool and what it is to do, as one word; empty for hooks of no tool. */
  readonly tool: string;
  readonly asks: boolean;
  readonly at: number;
}

/**
 * Whether a hook says something about the agent, or about a tool that runs beside an open dialog: tools run in
 * parallel, and a turn may stop while one of its dialogs stands.
 */
export function believes(awaiting: Awaiting | undefined, hook: HookMoment): boolean {
  if (!awaiting || hook.asks) return true;
  if (hook.event === "Stop" || hook.event === "AfterAgent") return false;
  if (hook.event === "PreToolUse" || hook.event === "BeforeTool") return hook.at - awaiting.at > toolBatchMs;
  if (afterTool.has(hook.event)) return hook.tool === "" || hook.tool === awaiting.tool;
  return true;
}

const afterTool = new Set(["PostToolUse", "PostToolUseFailure", "AfterTool"]);
