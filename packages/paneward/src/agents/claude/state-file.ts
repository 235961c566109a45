import type { ProcessState } from "../state-files.ts";

/** Reads what Claude Code writes about each of its processes into `~/.claude/sessions/<pid>.json`. */
export function readClaudeState(name: string, text: string): ProcessState | undefined {
  const value = parsed(text);
  const status = value?.status;
  if (status !== "idle" && status !== "busy" && status !== "waiting") return undefined;
  const waits = typeof value?.waitingFor === "string" ? `waiting for ${value.waitingFor}` : "waiting";
  const [, session, pane] = /^(.*):@\d+\.(%\d+)$/.exec(word(value?.tmux) ?? "") ?? [];
  return {
    pid: Number.parseInt(name, 10),
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
