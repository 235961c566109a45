import { type ErrorCode, PanewardError } from "@paneward/sdk";

/** A failure of answering with the name that an older dashboard knows it by. */
export function withOlderName(error: PanewardError): PanewardError {
  const errorType = error.errorType === undefined ? names[error.code] : (drivers[error.errorType] ?? error.errorType);
  if (errorType === error.errorType) return error;
  return new PanewardError(error.code, error.message, { hint: error.hint, cause: error.cause, errorType });
}

/** The status of a failure: the older dashboard tells "could not be sent" from "not there now". */
export function statusOf({ errorType = "", row }: PanewardError): 502 | PanewardError["row"]["status"] {
  if (failedToSend.includes(errorType)) return 502;
  return notThere.includes(errorType) ? 503 : row.status;
}

/** What is wrong with an answer, by the field that is wrong. */
export function wrongField(field: unknown): string {
  return (typeof field === "string" ? fields[field] : undefined) ?? "invalid_input";
}

const failedToSend: readonly string[] = ["send_failed", "subprocess_failed", "timeout", "unknown"];
const notThere: readonly string[] = ["pane_not_found", "tmux_not_installed"];

/** What the tmux driver tells apart and the older dashboard does not: a server that is gone has no panes. */
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
  rate_limited: "rate_limited",
  storage_full: "internal_error",
  storage_busy: "internal_error",
  unexpected: "internal_error",
};
