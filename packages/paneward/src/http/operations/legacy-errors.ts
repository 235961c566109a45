import { type ErrorCode, PanewardError } from "@paneward/sdk";

/** A failure of `respond` or of a hook with the error type that the older dashboard expects. */
export function withOlderName(error: PanewardError): PanewardError {
  const errorType = error.errorType === undefined ? names[error.code] : (drivers[error.errorType] ?? error.errorType);
  if (errorType === error.errorType) return error;
  return new PanewardError(error.code, error.message, { hint: error.hint, cause: error.cause, errorType });
}

/** The status of a failure: the older dashboard distinguishes "could not be sent" from "not available". */
export function statusOf({ errorType = "", row }: PanewardError): 405 | 502 | PanewardError["row"]["status"] {
  if (errorType === methodNotAllowed) return 405;
  if (failedToSend.includes(errorType)) return 502;
  return notAvailable.includes(errorType) ? 503 : row.status;
}

export const methodNotAllowed = "method_not_allowed";

/** The error type for a wrong field of an answer. */
export function wrongField(field: unknown): string {
  return (typeof field === "string" ? fields[field] : undefined) ?? "invalid_input";
}

const failedToSend: readonly string[] = ["send_failed", "subprocess_failed", "timeout", "unknown"];
const notAvailable: readonly string[] = ["pane_not_found", "tmux_not_installed"];

/** Types of the tmux driver that the older dashboard does not know, and what it calls them. */
const drivers: Readonly<Record<string, string>> = {
  server_lost: "pane_not_found",
  session_not_found: "pane_not_found",
  version_unsupported: "tmux_not_installed",
  name_invalid: "unknown",
};

const fields: Readonly<Record<string, string>> = {
  mode: "invalid_mode",
  text: "missing_text",
  option: "invalid_option_index",
  option_index: "invalid_option_index",
  option_label: "invalid_option_index",
  answers: "invalid_answers",
};

const names: Readonly<Record<ErrorCode, string>> = {
  bad_input: "invalid_input",
  ambiguous: "ambiguous",
  too_large: "too_large",
  not_found: "agent_not_found",
  unavailable: "tmux_not_installed",
  outcome_unknown: "timeout",
  wrong_state: "wrong_state",
  conflict: "wrong_state",
  unauthorized: "unauthorized",
  not_allowed: "not_allowed",
  no_linger: "not_allowed",
  untrusted: "untrusted",
  rate_limited: "rate_limited",
  storage_full: "internal_error",
  storage_busy: "internal_error",
  storage_damaged: "internal_error",
  storage_newer: "internal_error",
  unexpected: "internal_error",
};
