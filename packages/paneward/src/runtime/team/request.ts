import type { Team } from "@paneward/sdk";
import { TeamFailure } from "../../model/team/failure.ts";
import type { Fields } from "./fields.ts";
import { requireAgentName, requireTeam } from "./members.ts";
import type { Answered } from "./once.ts";
import type { TeamService } from "./team.ts";

/** One request to /v1, already admitted. */
export interface TeamRequest {
  readonly service: TeamService;
  /** The team whose token was shown; undefined for somebody who may see all. */
  readonly only: string | undefined;
  /** What stands in the path in place of a `*`. */
  readonly id: string;
  readonly fields: Fields;
  /** What was asked, to know a repeated call by. */
  readonly asked: unknown;
  readonly key: string | undefined;
  readonly signal: AbortSignal;
}

export type TeamCall = (request: TeamRequest) => Answered | Promise<Answered>;

/** The team that is meant: the one that is named, else the one of the token. */
export function teamOf(request: TeamRequest): Team {
  return teamNamed(request, request.fields.text("teamId", "INVALID_TEAM_ID", request.only ?? "default"));
}

export function teamNamed(request: TeamRequest, id: string): Team {
  requireOwn(request, id);
  return requireTeam(request.service.world, id);
}

/** Whose token it is not, learns nothing about the team: not even that there is one. */
export function requireOwn({ only }: TeamRequest, id: string): void {
  if (only !== undefined && only !== id) throw new TeamFailure("UNAUTHORIZED", "this token is not for that team");
}

export function agentIn(fields: Fields): string {
  return requireAgentName(fields.text("agentId", "INVALID_AGENT_ID"));
}

export function ok(body: unknown): Answered {
  return { status: 200, body };
}
