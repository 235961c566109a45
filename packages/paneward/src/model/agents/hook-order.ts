import { toolBatchMs } from "../timing.ts";

/** One request of an agent that its hooks reported, from the first report until it is over. */
export interface HookRequest<Asked> {
  readonly id: string;
  /** The tool and what it would do: the hook that asks has no id of the tool's call. */
  readonly tool: string;
  /** The subagent that asks; empty for the conversation itself. */
  readonly agent: string;
  readonly at: number;
  readonly rule: string;
  readonly asked: Asked;
  /** The installations of our hooks that reported it. Each reports a request once. */
  readonly sources: readonly string[];
  /** A hook waits for its answer. */
  readonly waits: boolean;
  /** It was approved through its hook; its tool has not ended yet. */
  readonly approved: boolean;
}

type Requests<Asked> = readonly HookRequest<Asked>[];

/** Where in a turn a hook fires, for hooks that may concern only one of several tools, or none that waits. */
export type HookPhase = "tool_begins" | "tool_ended" | "turn_ended";

export interface HookMoment {
  readonly phase: HookPhase | undefined;
  /** As of a request; empty for hooks of no tool. */
  readonly tool: string;
  /** The same, as of a request that does not name its tool. */
  readonly unnamed?: string;
  readonly agent: string;
  readonly says: string | undefined;
  readonly at: number;
}

/** The requests that wait for a person, oldest first. */
export function openRequests<Asked>(requests: Requests<Asked>): Requests<Asked> {
  return requests.filter(({ approved }) => !approved);
}

/**
 * The request that another installation of our hooks reported before: with hooks in the settings and in a plugin, each
 * request is reported twice. Two reports of one installation are two requests, also of identical commands.
 */
export function sameRequest<Asked>(
  requests: Requests<Asked>,
  { tool, agent, source }: Pick<HookRequest<Asked>, "tool" | "agent"> & { readonly source: string },
): HookRequest<Asked> | undefined {
  return openRequests(requests).find(
    (one) => one.tool === tool && one.agent === agent && !one.sources.includes(source),
  );
}

/**
 * The requests that are left after a hook that asks nothing: tools run in parallel, subagents beside their conversation, and
 * a turn may stop while one of its dialogs is open.
 */
export function afterHook<Asked>(requests: Requests<Asked>, hook: HookMoment): Requests<Asked> {
  switch (hook.phase) {
    case "turn_ended":
      return openRequests(requests);
    case "tool_begins":
      return requests.filter((one) => !hasContinued(one, hook));
    case "tool_ended":
      return afterTool(requests, hook);
    default:
      return hook.says === "needs_input" ? requests : [];
  }
}

// A hook that waits ends with its request; without one, a later tool of the same agent shows that a report was lost.
function hasContinued<Asked>({ agent, waits, approved, at }: HookRequest<Asked>, hook: HookMoment): boolean {
  return agent === hook.agent && !waits && !approved && hook.at - at > toolBatchMs;
}

// Of identical ones, the approved one has run; without one, a person approved the oldest one at the terminal.
function afterTool<Asked>(requests: Requests<Asked>, { tool, unnamed, agent }: HookMoment): Requests<Asked> {
  if (tool === "") return requests.filter((one) => one.agent !== agent);
  const isIt = (name: string) => name === tool || (name !== "" && name === unnamed);
  const alike = requests.filter((one) => isIt(one.tool) && one.agent === agent);
  const over = alike.find(({ approved }) => approved) ?? alike[0];
  return requests.filter((one) => one !== over);
}

const prefix = "hook-";

/** The id of a request, for agents that give none. It is never used again, also not by a later daemon. */
export function hookRequestId(random: string): string {
  return `${prefix}${random}`;
}

/** Whether only a hook of this daemon could be given the answer. */
export function isHookRequest(id: string | undefined): boolean {
  return id?.startsWith(prefix) === true;
}
