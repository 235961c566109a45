import { type ErrorCode, PanewardError } from "@paneward/sdk";

/** A failure of answering with the name that an older dashboard knows it by. */
export function withOlderName(error: PanewardError): PanewardError {
  if (error.errorType !== undefined) return error;
  const errorType = names[error.code];
  return new PanewardError(error.code, error.message, { hint: error.hint, cause: error.cause, errorType });
}

/** The status of a failure: the older dashboard tells "could not be sent" from "not there now". */
export function statusOf({ errorType, row }: PanewardError): 502 | PanewardError["row"]["status"] {
  return errorType !== undefined && failedToSend.includes(errorType) ? 502 : row.status;
}

/** What is wrong with an answer, by the field that is wrong. */
export function wrongField(field: unknown): string {
  return (typeof field === "string" ? fields[field] : undefined) ?? "invalid_input";
}

const failedToSend: readonly string[] = ["send_failed", "subprocess_failed", "timeout", "unknown"];

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
