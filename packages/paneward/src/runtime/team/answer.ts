import { TeamFailure, teamFailures } from "../../model/team/failure.ts";
import { teamCalls } from "./calls.ts";
import { Fields } from "./fields.ts";
import type { Answered } from "./once.ts";
import type { TeamRequest } from "./request.ts";
import type { TeamService } from "./team.ts";

/** A request to /v1 as it comes from outside. */
export interface V1Request {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Undefined when there was none. */
  readonly body: string | undefined;
  readonly key: string | undefined;
  /** The token that was shown, or that none is needed. */
  readonly token: { readonly kind: "bearer"; readonly text: string } | { readonly kind: "none" | "not_needed" };
  readonly signal: AbortSignal;
}

/** Answers a request to /v1. Failures are answers too; what was not foreseen is left to the door. */
export async function answerV1(service: TeamService, request: V1Request): Promise<Answered> {
  try {
    const only = admitted(service, request.token);
    const { call, id } = find(request);
    const values = { ...request.query, ...bodyOf(request) };
    const { key } = request;
    if (key !== undefined && (key === "" || key.length > 200)) {
      throw new TeamFailure("INVALID_JSON", "an idempotency key has 1 to 200 characters");
    }
    const asked = [request.method, request.path, values];
    const prepared: TeamRequest = { service, only, id, fields: new Fields(values), asked, key, signal: request.signal };
    return await call(prepared);
  } catch (error) {
    if (error instanceof TeamFailure) return failed(error.code, error.message);
    throw error;
  }
}

export function failed(code: keyof typeof teamFailures, message: string): Answered {
  return { status: teamFailures[code], body: { error: { code, message } } };
}

function admitted({ files }: TeamService, token: V1Request["token"]): string | undefined {
  if (token.kind === "not_needed") return undefined;
  const team = token.kind === "bearer" ? files.teamOf(token.text) : undefined;
  if (team !== undefined) return team;
  throw new TeamFailure("UNAUTHORIZED", "this needs a team's token: it stands in the team's runtime.json");
}

function find({ method, path }: V1Request) {
  const parts = path.split("/");
  const known = teamCalls[`${method} ${path}`];
  if (known) return { call: known, id: "" };
  const id = parts[3] ?? "";
  const pattern = parts.map((part, at) => (at === 3 ? "*" : part)).join("/");
  const call = teamCalls[`${method} ${pattern}`];
  if (call && id !== "") return { call, id };
  throw new TeamFailure("NOT_FOUND", "there is no such route");
}

function bodyOf({ body }: V1Request): Readonly<Record<string, unknown>> {
  if (body === undefined || body.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch (cause) {
    throw new TeamFailure("INVALID_JSON", `the body is no JSON: ${(cause as Error).message}`, { cause });
  }
  throw new TeamFailure("INVALID_JSON", "the body is no JSON object");
}
