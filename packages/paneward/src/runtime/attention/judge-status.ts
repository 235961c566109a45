import type { TaskRecord, TerminalRecord } from "../../model/records.ts";
import { type StatusReason, taskStatus, terminalStatus } from "../../model/status.ts";
import type { Machine, Store } from "../ports.ts";
import type { Attention } from "./attention.ts";

/** What a status is judged from: the records, what every running program does now, and whether a worktree is there. */
export interface Judging {
  readonly store: Store;
  readonly attention: Attention;
  readonly machine: Machine;
}

export function judgeTerminal(
  { attention }: { readonly attention: Pick<Attention, "attention"> },
  record: TerminalRecord,
): StatusReason {
  return terminalStatus(record, attention.attention(record.id));
}

export function judgeTask({ store, attention, machine }: Judging, record: TaskRecord): StatusReason {
  const terminal = record.terminal === undefined ? undefined : store.terminal(record.terminal);
  // Another program, or a person, may have removed it. It is looked for only while no program runs there.
  const isThere = terminal?.phase === "running" || !record.hasWorktree || machine.isFolder(record.worktree);
  return taskStatus(record, terminal, terminal && attention.attention(terminal.id), isThere);
}
