import { PanewardError } from "@paneward/sdk";
import { Hono } from "hono";
import { TeamFailure } from "../../model/team/failure.ts";
import type { Log } from "../../runtime/ports.ts";
import type { TeamService } from "../../runtime/team/team.ts";
import { bearerToken } from "../access/authenticate.ts";
import { createRateLimit, type Limits, type SteadyClock } from "../access/limits.ts";
import { readBytes } from "../operations/input.ts";
import { boardRoutes } from "./board-routes.ts";
import { answerTeamFailure, internalFailure } from "./failures.ts";
import type { TeamContext, TeamEnv } from "./request.ts";
import { threadRoutes } from "./thread-routes.ts";
import { workerRoutes } from "./worker-routes.ts";

/** /v1, for agents in pi: tokens of teams, and the shapes and codes of teamd. */
export function teamDoor(
  service: TeamService,
  { limits, clock, log }: { readonly limits: Limits; readonly clock: SteadyClock; readonly log: Log },
): Hono<TeamEnv> {
  const app = new Hono<TeamEnv>();
  const takeOne = createRateLimit(limits, clock);
  app.use(async (c, next) => {
    c.set("operation", "team");
    const token = bearerToken(c.req.header("authorization"));
    const team = token === undefined ? undefined : service.files.teamOf(token);
    if (c.env.via.kind === "tcp" && takeOne(team ?? "strangers") > 0) {
      throw new TeamFailure("TOO_MANY_REQUESTS", `at most ${limits.perSecond} requests a second`);
    }
    const only = admitted(c, token, team);
    const values = { ...c.req.query(), ...(await bodyOf(c, limits.bodyBytes)) };
    const asked = [c.req.method, c.req.path, values];
    c.set("team", { service, only, values, asked, key: keyOf(c) });
    await next();
  });
  boardRoutes(app);
  threadRoutes(app);
  workerRoutes(app);
  app.all("*", () => {
    throw new TeamFailure("NOT_FOUND", "there is no such route");
  });
  app.onError((error, c) => {
    if (error instanceof TeamFailure) return answerTeamFailure(c, error);
    log.error("a request to /v1 failed unexpectedly", { path: c.req.path, message: error.message, stack: error.stack });
    return answerTeamFailure(c, internalFailure());
  });
  return app;
}

/** The team that a caller is confined to; whoever reaches the Unix socket may see all. */
function admitted(c: TeamContext, token: string | undefined, team: string | undefined): string | undefined {
  if (team !== undefined || (token === undefined && c.env.via.kind !== "tcp")) return team;
  throw new TeamFailure("UNAUTHORIZED", "this needs a team's token, which is in the team's runtime.json");
}

function keyOf(c: TeamContext): string | undefined {
  const key = c.req.header("idempotency-key");
  if (key !== undefined && (key === "" || key.length > 200)) {
    throw new TeamFailure("INVALID_JSON", "an idempotency key has 1 to 200 characters");
  }
  return key;
}

async function bodyOf(c: TeamContext, maxBytes: number): Promise<Readonly<Record<string, unknown>>> {
  if (c.req.method === "GET") return {};
  if (Number(c.req.header("content-length") ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const text = await readBytes(c.req.raw.body, maxBytes).then(String, (cause: unknown) => {
    throw cause instanceof PanewardError && cause.code === "too_large" ? tooLarge(maxBytes) : cause;
  });
  if (text.trim() === "") return {};
  const value = jsonIn(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new TeamFailure("INVALID_JSON", "the body is no JSON object");
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new TeamFailure("INVALID_JSON", `the body is no JSON: ${(cause as Error).message}`, { cause });
  }
}

function tooLarge(maxBytes: number): TeamFailure {
  return new TeamFailure("PAYLOAD_TOO_LARGE", `a body has at most ${maxBytes} bytes`);
}
