import type { AgentRecord } from "../records.ts";

/** What a hook says about where it comes from. */
export interface HookOrigin {
  readonly sessionId: string | undefined;
  readonly pane: string | undefined;
  /** The process of the tmux server that the pane's id belongs to. */
  readonly serverPid: string | undefined;
  readonly cwd: string | undefined;
  readonly kind: string | undefined;
  /** The conversation got another id and the agent stayed: /clear, compaction, a resumed one. */
  readonly renamed: boolean;
}

export type Correlated =
  | { readonly agent: AgentRecord; readonly method: "session_id" | "pane" | "working_directory" }
  | { readonly refused: string }
  | undefined;

/** The agent of a hook: by conversation, then by pane of the same server, then by folder. A contradiction is refused. */
export function correlate(active: readonly AgentRecord[], origin: HookOrigin): Correlated {
  const bySession = active.find(({ session_id: id }) => id !== undefined && id === origin.sessionId);
  const byPane = active.find((agent) => isAt(agent, origin));
  if (bySession) {
    return isElsewhere(bySession, origin)
      ? { refused: `the conversation runs in another pane than ${origin.pane}` }
      : { agent: bySession, method: "session_id" };
  }
  if (byPane) {
    return isOther(byPane, origin)
      ? { refused: `another conversation runs in pane ${origin.pane}` }
      : { agent: byPane, method: "pane" };
  }
  if (origin.pane !== undefined || origin.cwd === undefined) return undefined;
  const there = active.filter(
    ({ cwd, session_id: id, kind }) =>
      cwd === origin.cwd && id === undefined && (origin.kind === undefined || kind === origin.kind),
  );
  const [agent] = there;
  return agent && there.length === 1 ? { agent, method: "working_directory" } : undefined;
}

// A hook that names only its pane, and a conversation that is known to be in one of this id, do not contradict each other.
function isElsewhere(agent: AgentRecord, origin: HookOrigin): boolean {
  if (origin.pane === undefined || agent.tmux_pane_id === null) return false;
  if (origin.serverPid === undefined) return agent.tmux_pane_id !== origin.pane;
  return !isAt(agent, origin);
}

// The next server reuses the ids of panes; without the server's process the folder must fit too.
function isAt({ tmux_pane_id: pane, server, cwd }: AgentRecord, origin: HookOrigin): boolean {
  if (pane === null || pane !== origin.pane) return false;
  return origin.serverPid === undefined ? cwd === origin.cwd : server?.split(".")[0] === origin.serverPid;
}

// An agent at work may itself run another one in its pane, whose hooks are not its own.
function isOther({ session_id: id, state }: AgentRecord, { sessionId, renamed }: HookOrigin): boolean {
  if (id === undefined || sessionId === undefined || renamed) return false;
  return id !== sessionId && state !== "idle" && state !== "complete";
}
