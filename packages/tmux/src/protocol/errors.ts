/** What went wrong, as a word a program can switch on. The first seven are the bridge errors of all interfaces. */
export type TmuxErrorType =
  | "pane_not_found"
  | "tmux_not_installed"
  | "subprocess_failed"
  | "no_pane_id"
  | "timeout"
  | "send_failed"
  | "unknown"
  | "session_not_found"
  | "name_invalid"
  | "server_lost"
  | "version_unsupported"
  | "cursor_invalid"
  | "journal_missing";

/** Whether the command may have had an effect; `maybe` when the reply was lost. */
export type Delivered = "no" | "maybe" | "yes";

export interface TmuxErrorDetails {
  readonly argv?: readonly string[];
  readonly stderr?: string;
  readonly delivered?: Delivered;
  readonly cause?: unknown;
}

export class TmuxError extends Error {
  override readonly name = "TmuxError";
  readonly type: TmuxErrorType;
  readonly argv: readonly string[];
  readonly stderr: string;
  readonly delivered: Delivered;

  constructor(type: TmuxErrorType, message: string, details: TmuxErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.type = type;
    this.argv = redact(details.argv ?? []);
    this.stderr = details.stderr ?? "";
    this.delivered = details.delivered ?? "no";
  }
}

/** Maps tmux's error message to an error type. */
export function errorTypeOf(text: string): TmuxErrorType {
  return errorPatterns.find(([pattern]) => pattern.test(text))?.[1] ?? "subprocess_failed";
}

const errorPatterns: readonly (readonly [RegExp, TmuxErrorType])[] = [
  [/can't find pane|no such pane|no current target/i, "pane_not_found"],
  [/can't find (session|window)|no such (session|window)|session not found/i, "session_not_found"],
  [/no server running|error connecting to|server exited|lost server|no sessions/i, "server_lost"],
  [
    /\btmux: (command )?not found|executable file.*not found|env: .*tmux.*No such file|exec: .*tmux/i,
    "tmux_not_installed",
  ],
];

// Values of `-e NAME=value` may be secrets, and errors are logged.
function redact(argv: readonly string[]): readonly string[] {
  return argv.map((arg, at) => (argv[at - 1] === "-e" ? arg.replace(/=.*/s, "=…") : arg));
}
