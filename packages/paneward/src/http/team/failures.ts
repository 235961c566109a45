import type { ContentfulStatusCode } from "hono/utils/http-status";
import { TeamFailure, type TeamFailureKind } from "../../model/team/failure.ts";
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

/** A failure in the shape of teamd's contract. */
export function answerTeamFailure(c: TeamContext, { code, kind, message }: TeamFailure): Response {
  return c.json({ error: { code, message } }, statuses[kind]);
}

export function internalFailure(): TeamFailure {
  return new TeamFailure("INTERNAL_ERROR", "the daemon failed in a way it did not foresee; its log has more");
}
