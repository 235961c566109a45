import type { End, Status, Why } from "@paneward/sdk";
import type { TaskRecord, TerminalRecord } from "./records.ts";

/** What the judge says about a terminal whose program runs. */
export interface Attention {
  readonly says: "working" | "idle" | "needs_input" | "unknown";
  readonly why: Why;
}

export interface StatusReason {
  readonly status: Status;
  readonly why: Why;
}

/** The status of a terminal: exits first, then attention. An end is never shown as idle. */
export function terminalStatus(terminal: TerminalRecord, attention: Attention | undefined): StatusReason {
  if (terminal.phase === "ended" && terminal.end)
    return endedStatus(terminal.end, terminal.endedAt ?? terminal.createdAt);
  if (terminal.phase === "starting") {
    return judged("Running", "daemon", "the program is being started", terminal.createdAt);
  }
  if (!attention || attention.says === "unknown") {
    const since = terminal.startedAt ?? terminal.createdAt;
    return judged("Running", "tmux", "the program runs and nothing more is known", since);
  }
  return { status: attentionStatus[attention.says], why: attention.why };
}

/** The status of a task: completed wins, then its terminal, then whether its worktree is there. */
export function taskStatus(
  task: TaskRecord,
  terminal: TerminalRecord | undefined,
  attention: Attention | undefined,
  isThere: boolean,
): StatusReason {
  if (task.completedAt !== undefined)
    return judged("Completed", "person", "it was marked as completed", task.completedAt);
  if (terminal && !(terminal.phase === "ended" && terminal.end?.kind === "stopped")) {
    return terminalStatus(terminal, attention);
  }
  if (task.hasWorktree && !isThere)
    return judged("Draft", "git", "its worktree is gone; a start makes it again, from its branch", task.createdAt);
  if (terminal?.end) return endedStatus(terminal.end, terminal.endedAt ?? task.createdAt);
  if (task.hasWorktree)
    return judged("Stopped", "git", "it has a worktree and no terminal", task.laidAt ?? task.createdAt);
  return judged("Draft", "daemon", "it was never started", task.createdAt);
}

const attentionStatus = { working: "Running", idle: "Idle", needs_input: "Waiting" } as const;

function endedStatus(end: End, since: number): StatusReason {
  switch (end.kind) {
    case "exited":
      return judged("Exited", "exit", `the program exited with code ${end.code}`, since);
    case "killed":
      return judged("Exited", "exit", `the program was killed by signal ${end.signal}`, since);
    case "unknown":
      return judged("Exited", "exit", "the program ended and tmux does not know how", since);
    case "stopped":
      return judged("Stopped", "person", `stopped by ${end.by}`, since);
    case "lost":
      return judged("Lost", "tmux", end.reason, since);
  }
}

function judged(status: Status, source: string, rule: string, since: number): StatusReason {
  return { status, why: { source, rule, since } };
}
