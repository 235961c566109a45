import type { TaskRecord, TerminalRecord } from "../../model/records.ts";
import { type StatusReason, taskStatus, terminalStatus } from "../../model/status.ts";
import type { Store } from "../ports.ts";
import type { Attention } from "./attention.ts";

/** What a status is judged from: the records, and what every running program does now. */
export interface Judging {
  readonly store: Store;
  readonly attention: Attention;
}

export function judgeTerminal(
  { attention }: { readonly attention: Pick<Attention, "attention"> },
  record: TerminalRecord,
): StatusReason {
  return terminalStatus(record, attention.attention(record.id));
}

export function judgeTask({ store, attention }: Judging, record: TaskRecord): StatusReason {
  const terminal = record.terminal === undefined ? undefined : store.terminal(record.terminal);
  return taskStatus(record, terminal, terminal && attention.attention(terminal.id));
}
