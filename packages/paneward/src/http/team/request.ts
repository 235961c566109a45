import type { Team } from "@paneward/sdk";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { z } from "zod";
import { TeamFailure, type TeamFailureCode } from "../../model/team/failure.ts";
import type { Writer } from "../../runtime/ports.ts";
import { once } from "../../runtime/team/idempotency.ts";
import { requireAgentName, requireTeam } from "../../runtime/team/members.ts";
import type { TeamService } from "../../runtime/team/team.ts";
import type { HttpEnv } from "../env.ts";
import { fields, parseFields } from "./fields.ts";

/** One request to /v1, admitted and with its body read. */
export interface TeamRequest {
  readonly service: TeamService;
  /** The team of the token; undefined for a caller that may use all teams. */
  readonly tokenTeam: string | undefined;
  /** Query and body together; the body wins. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly idempotencyKey: string | undefined;
}

export interface TeamEnv {
  Bindings: HttpEnv["Bindings"];
  Variables: HttpEnv["Variables"] & { team: TeamRequest };
}
export type TeamContext = Context<TeamEnv>;

const teamField = z.object({ teamId: fields.teamId });

/** The team that a request names, else the token's. */
export function teamOf(c: TeamContext): Team {
  const { values, tokenTeam } = c.get("team");
  return teamNamed(c, parseFields(teamField, values).teamId ?? tokenTeam ?? "default");
}

export function teamNamed(c: TeamContext, id: string): Team {
  requireTokenFor(c, id);
  return requireTeam(c.get("team").service.ports, id);
}

/** Does not reveal a team to other tokens, not even that it exists. */
export function requireTokenFor(c: TeamContext, id: string): void {
  const { tokenTeam } = c.get("team");
  if (tokenTeam === undefined || tokenTeam === id) return;
  throw new TeamFailure("UNAUTHORIZED", "this token is not for that team");
}

/** The fields of this route, with agents' names checked. */
export function fieldsOf<Shape extends z.ZodObject>(
  c: TeamContext,
  shape: Shape,
  otherwise?: TeamFailureCode,
): z.output<Shape> {
  const parsed = parseFields(shape, c.get("team").values, otherwise);
  if (typeof parsed.agentId === "string") requireAgentName(parsed.agentId);
  return parsed;
}

/** Writes once per idempotency key, and answers with what was written. */
export function writeOnce(
  c: TeamContext,
  team: string,
  work: (writer: Writer) => object,
  status: { readonly first: ContentfulStatusCode; readonly repeated?: ContentfulStatusCode } = { first: 200 },
): Response {
  const { service, idempotencyKey: key, values } = c.get("team");
  const request = [c.req.method, c.req.path, values];
  const { result, repeated } = once(service.ports, team, { key, request }, work);
  return c.json(result, repeated ? (status.repeated ?? status.first) : status.first);
}
