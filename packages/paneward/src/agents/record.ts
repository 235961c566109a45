import type { RecordHead, RecordRows } from "../model/agents/record-rows.ts";

/** A file in which an agent writes its conversation, one JSON object in each line. */
export interface AgentRecordFile {
  /** Where it is, in the form that `recordPattern` describes. */
  readonly file: string;
  /** What its first row says of the conversation, for a file whose name does not. */
  readonly head?: RecordHead;
  readonly rows: RecordRows;
}

/** How an agent is started with a conversation's id that is chosen for it, so that its record is known before it begins. */
export interface ChosenSession {
  readonly option: string;
  /** Options of a command that chooses a conversation itself. */
  readonly unless: RegExp;
}

export function withSession(
  cmd: readonly string[],
  session: ChosenSession | undefined,
  id: string | undefined,
): readonly string[] {
  if (!session || id === undefined || cmd.some((word) => session.unless.test(word))) return cmd;
  return [...cmd, session.option, id];
}

/** The conversation that a command line names. */
export function sessionIn(argv: readonly string[], session: ChosenSession | undefined): string | undefined {
  const at = session ? argv.indexOf(session.option) : -1;
  // What follows `--` is a prompt.
  const end = argv.indexOf("--");
  return at >= 0 && (end < 0 || at < end) ? argv[at + 1] : undefined;
}
