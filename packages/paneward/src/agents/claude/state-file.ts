import type { Says } from "../../model/attention/evidence.ts";

/** What Claude Code writes about each of its processes into `~/.claude/sessions/<pid>.json`. */
export interface ClaudeState {
  readonly pid: number;
  readonly says: Says;
  readonly rule: string;
  /** When it last changed, by the file itself. */
  readonly at: number | undefined;
  readonly sessionId: string | undefined;
  /** tmux's name of the session, and the pane. */
  readonly session: string | undefined;
  readonly pane: string | undefined;
}

/** Reads such a file; undefined when it is something else or half-written. */
export function readClaudeState(pid: number, text: string): ClaudeState | undefined {
  const value = parsed(text);
  const status = value?.status;
  if (status !== "idle" && status !== "busy" && status !== "waiting") return undefined;
  const waits = typeof value?.waitingFor === "string" ? `waiting for ${value.waitingFor}` : "waiting";
  const [, session, pane] = /^(.*):@\d+\.(%\d+)$/.exec(word(value?.tmux) ?? "") ?? [];
  return {
    pid,
    says: status === "busy" ? "working" : status === "idle" ? "idle" : "needs_input",
    rule: `its state file says ${status === "waiting" ? waits : status}`,
    at: momentOf(value?.statusUpdatedAt),
    sessionId: word(value?.sessionId),
    session,
    pane,
  };
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

function momentOf(value: unknown): number | undefined {
  const moment = typeof value === "number" ? value : Date.parse(word(value) ?? "");
  return Number.isFinite(moment) ? moment : undefined;
}

function word(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
