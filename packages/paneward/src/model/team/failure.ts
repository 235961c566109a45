/** The ways in which a call of a team can fail, with the HTTP status of each: teamd's codes, and one of ours. */
export const teamFailures = {
  INVALID_JSON: 400,
  INVALID_TEAM_ID: 400,
  INVALID_AGENT_ID: 400,
  INVALID_TASK: 400,
  INVALID_THREAD_MESSAGE: 400,
  INVALID_WORKER: 400,
  UNAUTHORIZED: 401,
  LEASE_EXPIRED: 403,
  LEASE_HOLDER_MISMATCH: 403,
  NOT_FOUND: 404,
  TEAM_NOT_FOUND: 404,
  TASK_NOT_FOUND: 404,
  THREAD_NOT_FOUND: 404,
  WORKER_NOT_FOUND: 404,
  TASK_NOT_CLAIMABLE: 409,
  TASK_NOT_IN_PROGRESS: 409,
  EPOCH_MISMATCH: 409,
  IDEMPOTENCY_KEY_REUSED: 409,
  PAYLOAD_TOO_LARGE: 413,
  TOO_MANY_REQUESTS: 429,
  INTERNAL_ERROR: 500,
  WORKER_UNREACHABLE: 503,
} as const;

export type TeamFailureCode = keyof typeof teamFailures;

export class TeamFailure extends Error {
  override readonly name = "TeamFailure";
  readonly code: TeamFailureCode;

  constructor(code: TeamFailureCode, message: string, details: { readonly cause?: unknown } = {}) {
    super(message, details);
    this.code = code;
  }

  get status(): (typeof teamFailures)[TeamFailureCode] {
    return teamFailures[this.code];
  }
}
