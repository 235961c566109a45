import type { Config, Restore } from "@paneward/sdk";
import type { TaskRecord, TerminalRecord } from "./records.ts";

/** What is looked at beside the record. */
export interface Around {
  readonly task: TaskRecord | undefined;
  /** Whether its folder is there; true where that cannot be seen from here. */
  readonly hasFolder: boolean;
}

/** Whether a program was lost with its tmux server, and nobody has done anything about it since. */
export function isLost({ phase, end }: Pick<TerminalRecord, "phase" | "end">): boolean {
  return phase === "ended" && end?.kind === "lost";
}

/** Whether a lost program can be started again, and how; undefined for one that is not lost. */
export function restoreOf(record: TerminalRecord, around: Around): Restore | undefined {
  if (!isLost(record) || around.task?.completedAt !== undefined) return undefined;
  const reason = obstacle(record, around);
  if (reason !== undefined) return { can: false, reason };
  const command = `paneward restore ${record.task ?? record.id}`;
  return { can: true, command, ...(record.held === undefined ? {} : { reason: record.held }) };
}

function obstacle(record: TerminalRecord, { task, hasFolder }: Around): string | undefined {
  const { adopted, host, found, cwd } = record;
  if (adopted || host.startsWith("tmux:")) return "it ran in your own tmux; start it there";
  if (host.startsWith("team:")) return "its team's leader starts workers";
  if (found) return "it was found without its record, and its command is not known";
  if (record.task !== undefined && task?.terminal !== record.id) return "its task runs in another terminal";
  if (hasFolder) return undefined;
  if (task) return `its worktree is gone; \`paneward start ${task.id}\` makes it again`;
  return `its folder ${cwd} is gone`;
}

/** Whether it is started again without a person. */
export function comesBack(record: TerminalRecord, around: Around, policy: Config["daemon"]["restore"]): boolean {
  if (record.held !== undefined || !(policy === "always" || record.keepRunning)) return false;
  return restoreOf(record, around)?.can === true;
}

/** The record of one that a person starts: that begins a new count. */
export function byPerson({ revival: _revival, held: _held, ...record }: TerminalRecord): TerminalRecord {
  return record;
}

/** The record of one that is about to be started without a person; `held` when that happened too often. */
export function revived(record: TerminalRecord, now: number): TerminalRecord {
  const { revival } = record;
  const tries = revival && isRecent(revival.at, now) ? revival.tries + 1 : 1;
  if (tries <= maxTries) return { ...record, revival: { at: now, tries } };
  return { ...record, held: `it was started ${maxTries} times by itself within ${minutes} minutes` };
}

/**
 * The record of one that was just lost. What came back by itself and was lost again soon waits for a person: it may be what
 * takes the machine down.
 */
export function afterLoss(record: TerminalRecord, now: number): TerminalRecord {
  const { revival } = record;
  if (revival === undefined || !isRecent(revival.at, now)) return record;
  const seconds = Math.max(0, Math.round((now - revival.at) / 1_000));
  return { ...record, held: `it came back by itself and was lost again after ${seconds} s` };
}

/** The record of one that was being started when the daemon ended, and does not run. */
export function afterInterruption(record: TerminalRecord, boot: string | undefined): TerminalRecord {
  const { restoring, ...rest } = record;
  if (restoring === undefined || restoring.boot === boot) return rest;
  return { ...rest, held: "the machine went down while it was started again" };
}

/** The record of one whose start failed. */
export function afterFailure(record: TerminalRecord, reason: string, mayRun: boolean): TerminalRecord {
  const { restoring, ...rest } = record;
  const held = `the last try failed: ${reason}`;
  return mayRun && restoring ? { ...rest, restoring, held } : { ...rest, held };
}

// A clock that was set back makes it recent: then a person decides.
function isRecent(at: number, now: number): boolean {
  return now - at < minutes * 60_000;
}

const minutes = 10;
const maxTries = 3;
