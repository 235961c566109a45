/** What kind of failure each code of teamd's contract is; `WORKER_*` codes are ours. */
export const teamFailures = {
  INVALID_JSON: "invalid",
  INVALID_TEAM_ID: "invalid",
  INVALID_AGENT_ID: "invalid",
  INVALID_TASK: "invalid",
  INVALID_THREAD_MESSAGE: "invalid",
  INVALID_WORKER: "invalid",
  UNAUTHORIZED: "unauthorized",
  LEASE_EXPIRED: "forbidden",
  LEASE_HOLDER_MISMATCH: "forbidden",
  NOT_FOUND: "not_found",
  TEAM_NOT_FOUND: "not_found",
  TASK_NOT_FOUND: "not_found",
  THREAD_NOT_FOUND: "not_found",
  WORKER_NOT_FOUND: "not_found",
  TASK_NOT_CLAIMABLE: "conflict",
  TASK_NOT_IN_PROGRESS: "conflict",
  EPOCH_MISMATCH: "conflict",
  IDEMPOTENCY_KEY_REUSED: "conflict",
  PAYLOAD_TOO_LARGE: "too_large",
  TOO_MANY_REQUESTS: "too_many",
  INTERNAL_ERROR: "internal",
  WORKER_FORBIDDEN: "forbidden",
  WORKER_ASKS: "conflict",
  WORKER_ASKS_NOTHING: "conflict",
  WORKER_UNREACHABLE: "unreachable",
} as const;

export type TeamFailureCode = keyof typeof teamFailures;
export type TeamFailureKind = (typeof teamFailures)[TeamFailureCode];

export class TeamFailure extends Error {
  override readonly name = "TeamFailure";
  readonly code: TeamFailureCode;

  constructor(code: TeamFailureCode, message: string, details: { readonly cause?: unknown } = {}) {
    super(message, details);
    this.code = code;
  }

  get kind(): TeamFailureKind {
    return teamFailures[this.code];
  }
}
