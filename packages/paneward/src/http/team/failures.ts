import { type ErrorCode, PanewardError, systemFailure } from "@paneward/sdk";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { TeamFailure, type TeamFailureCode, type TeamFailureKind } from "../../model/team/failure.ts";
import { printable } from "../operations/answer.ts";
import type { TeamContext } from "./request.ts";

const statuses: Readonly<Record<TeamFailureKind, ContentfulStatusCode>> = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  too_many: 429,
  internal: 500,
  unreachable: 503,
};

/** Answers with a failure in the shape of teamd's contract. */
export function answerTeamFailure(c: TeamContext, { code, kind, message }: TeamFailure): Response {
  return c.json({ error: { code, message: printable(message, 1_000) } }, statuses[kind]);
}

/** A failed request as teamd's contract names it; undefined for an error that nothing here expects. */
export function requestFailure(thrown: unknown): TeamFailure | undefined {
  const error = systemFailure(thrown) ?? thrown;
  return failureBy(requestCodes, error);
}

/** A failure of a worker's terminal as teamd's contract names it. */
export function workerFailure(error: unknown): unknown {
  return failureBy(workerCodes, error, "WORKER_UNREACHABLE") ?? error;
}

export function internalFailure(): TeamFailure {
  return new TeamFailure("INTERNAL_ERROR", "the daemon failed unexpectedly; its log has more");
}

type Codes = Readonly<Partial<Record<ErrorCode, TeamFailureCode>>>;

const requestCodes: Codes = {
  bad_input: "INVALID_JSON",
  too_large: "PAYLOAD_TOO_LARGE",
  rate_limited: "TOO_MANY_REQUESTS",
  storage_full: "INTERNAL_ERROR",
};

const workerCodes: Codes = {
  bad_input: "INVALID_WORKER",
  too_large: "INVALID_WORKER",
  not_found: "WORKER_NOT_FOUND",
  wrong_state: "TASK_NOT_IN_PROGRESS",
  conflict: "WORKER_ASKS",
  not_allowed: "WORKER_FORBIDDEN",
};

function failureBy(codes: Codes, error: unknown, otherwise?: TeamFailureCode): TeamFailure | undefined {
  if (error instanceof TeamFailure) return error;
  if (!(error instanceof PanewardError)) return undefined;
  const code = codes[error.code] ?? otherwise;
  return code && new TeamFailure(code, error.message, { cause: error });
}
