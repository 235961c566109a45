import { toolBatchMs } from "../timing.ts";

/** A dialog that hooks reported and that is open until its own tool continues. */
export interface Awaiting {
  readonly tool: string;
  readonly at: number;
}

/** Where in a turn a hook fires, for hooks that may concern only one of several tools. */
export type HookPhase = "tool_begins" | "tool_ended" | "turn_ended";

export interface HookMoment {
  readonly phase: HookPhase | undefined;
  /** The tool and its input, as one text; empty for hooks of no tool. */
  readonly tool: string;
  readonly asks: boolean;
  readonly at: number;
}

/**
 * Whether a hook says something about the agent, or about a tool that runs beside an open dialog: tools run in
 * parallel, and a turn may stop while one of its dialogs is open.
 */
export function concernsAgent(awaiting: Awaiting | undefined, hook: HookMoment): boolean {
  if (!awaiting || hook.asks) return true;
  switch (hook.phase) {
    case "turn_ended":
      return false;
    case "tool_begins":
      return hook.at - awaiting.at > toolBatchMs;
    case "tool_ended":
      return hook.tool === "" || hook.tool === awaiting.tool;
    default:
      return true;
  }
}
