import { wellFormed } from "./well-formed.ts";

/** One row per way to fail: what HTTP says, what the CLI exits with, whether trying again can help, what to do next. */
export interface ErrorRow {
  readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 429 | 500 | 503 | 504 | 507;
  readonly exitCode: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 11;
  readonly retry: "no" | "later" | "after_looking";
  readonly hint: string;
}

export const errorTable = {
  bad_input: {
    status: 400,
    exitCode: 2,
    retry: "no",
    hint: "correct the input; `paneward COMMAND --help` shows examples",
  },
  ambiguous: { status: 409, exitCode: 2, retry: "no", hint: "use one of the ids in the message" },
  too_large: { status: 413, exitCode: 2, retry: "no", hint: "send less at once, or name a file" },
  not_found: { status: 404, exitCode: 3, retry: "no", hint: "`paneward ps --all` lists what there is" },
  unavailable: { status: 503, exitCode: 4, retry: "later", hint: "`paneward doctor` shows what is missing" },
  outcome_unknown: {
    status: 504,
    exitCode: 5,
    retry: "after_looking",
    hint: "it may have happened: look with `paneward ps` before you try again",
  },
  wrong_state: {
    status: 409,
    exitCode: 6,
    retry: "no",
    hint: "`paneward explain ID` shows its state and the reason",
  },
  conflict: {
    status: 409,
    exitCode: 6,
    retry: "after_looking",
    hint: "resolve the conflict in the worktree, then try again",
  },
  unauthorized: { status: 401, exitCode: 7, retry: "no", hint: "give a token: `paneward token create --scope read`" },
  untrusted: {
    status: 403,
    exitCode: 7,
    retry: "no",
    hint: "`paneward trust` in the repository shows what it would run, and asks",
  },
  not_allowed: {
    status: 403,
    exitCode: 7,
    retry: "no",
    hint: "use a token with a wider scope: `paneward token create --scope SCOPE`; yours: `paneward whoami`",
  },
  no_linger: {
    status: 403,
    exitCode: 11,
    retry: "no",
    hint: "run `sudo loginctl enable-linger USER`, and then `paneward service install` again",
  },
  rate_limited: {
    status: 429,
    exitCode: 7,
    retry: "later",
    hint: "wait a moment; subscribe to events instead of asking again",
  },
  storage_full: { status: 507, exitCode: 1, retry: "later", hint: "free some disk space; nothing was changed" },
  storage_damaged: {
    status: 503,
    exitCode: 8,
    retry: "no",
    hint: "`paneward doctor --repair` says what can be restored, and restores it; programs keep running",
  },
  storage_newer: {
    status: 503,
    exitCode: 9,
    retry: "no",
    hint: "install that version again, or set PANEWARD_HOME to another folder",
  },
  storage_busy: { status: 503, exitCode: 1, retry: "later", hint: "another process holds the database; try again" },
  unexpected: {
    status: 500,
    exitCode: 1,
    retry: "after_looking",
    hint: "see the daemon's log; `paneward doctor` prints its path",
  },
} as const satisfies Readonly<Record<string, ErrorRow>>;

/** What `send` exits with while something blocks a delivery. */
export const heldExitCode = 10;

/** What the command line exits with; 124 only from `wait`. */
export const exitCodes: Readonly<Record<ErrorRow["exitCode"] | 0 | typeof heldExitCode | 124, string>> = {
  0: "done; `send`: acknowledged, or typed where there is nothing to witness",
  1: "unexpected failure, or `doctor` found a problem",
  2: "wrong usage or input, or an ambiguous id; `send`: the text is refused, and nothing was typed",
  3: "not found; `daemon status`, `daemon stop` and `service status`: no daemon or no service",
  4: "tmux, a host or the daemon is not available",
  5: "outcome unknown: it may have happened, look before you try again; `send`: no witness saw it taken",
  6: "wrong state, or a conflict",
  7: "not allowed, a repository that is not trusted, or too many requests",
  8: "the database is damaged: `paneward doctor --repair`",
  9: "the database was written by a newer version",
  [heldExitCode]: "`send`: held, and typed as soon as what holds it is gone",
  11: "`service install`: refused, and `service status`: not lingering; it would end with your last logout",
  124: "`wait` timed out",
};

export type ErrorCode = keyof typeof errorTable;

/** How a failure travels over HTTP. */
export interface ErrorBody {
  readonly error: { readonly code: ErrorCode; readonly message: string; readonly hint: string; readonly retry: string };
  /** Beside it, where an older dashboard looks: the failures of answering. */
  readonly status?: "error";
  readonly error_type?: string;
  readonly message?: string;
}

export interface ErrorDetails {
  /** Replaces the hint of the table when there is a better one. */
  readonly hint?: string;
  readonly cause?: unknown;
  /** The name that an older dashboard knows the failure by. */
  readonly errorType?: string;
}

export class PanewardError extends Error {
  override readonly name = "PanewardError";
  readonly code: ErrorCode;
  readonly hint: string;
  readonly errorType: string | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.hint = details.hint ?? errorTable[code].hint;
    this.errorType = details.errorType;
  }

  get row(): ErrorRow {
    return errorTable[this.code];
  }

  toBody(): ErrorBody {
    const { code, errorType } = this;
    const { message, hint } = wellFormed({ message: this.message, hint: this.hint });
    const older = errorType === undefined ? {} : { status: "error" as const, error_type: errorType, message };
    return { ...older, error: { code, message, hint, retry: this.row.retry } };
  }
}

/** Reads a failure that came over the wire. */
export function errorFromBody(body: unknown, status: number): PanewardError {
  const { error, error_type: errorType } = (body as Partial<ErrorBody> | undefined) ?? {};
  if (error && Object.hasOwn(errorTable, error.code)) {
    const type = typeof errorType === "string" ? { errorType } : {};
    return new PanewardError(error.code, error.message, { hint: error.hint, ...type });
  }
  if (isOfProxy(status)) {
    const cause = new Error(`status ${status}`);
    const hint =
      "start the daemon: `paneward up`; what was to be changed may have happened, so look before you try again";
    return new PanewardError(
      "outcome_unknown",
      `a proxy that does not reach the daemon answered with status ${status}`,
      {
        ...{ hint, cause },
      },
    );
  }
  return new PanewardError("unexpected", `the daemon answered with status ${status} and no error of ours`);
}

/** What a proxy says when nothing behind it answers: those of HTTP, and those of Cloudflare. */
function isOfProxy(status: number): boolean {
  return [502, 503, 504].includes(status) || (status >= 520 && status <= 530);
}
