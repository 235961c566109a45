import { wellFormed } from "@paneward/sdk";
import { Hono } from "hono";
import { TeamFailure } from "../../model/team/failure.ts";
import type { Log } from "../../runtime/ports.ts";
import type { TeamService } from "../../runtime/team/team.ts";
import { bearerToken } from "../access/authenticate.ts";
import { takeShares } from "../access/gates.ts";
import { createRateLimit, type Limits, type SteadyClock } from "../access/limits.ts";
import type { Shares } from "../access/shares.ts";
import type { TakeTurn } from "../access/turns.ts";
import { parseJsonObject, readBytes } from "../operations/body.ts";
import { uniqueQuery } from "../operations/input.ts";
import { boardRoutes } from "./board-routes.ts";
import { answerTeamFailure, internalFailure, requestFailure } from "./failures.ts";
import type { TeamContext, TeamEnv } from "./request.ts";
import { threadRoutes } from "./thread-routes.ts";
import { workerRoutes } from "./worker-routes.ts";

export interface TeamDoorOptions {
  readonly limits: Limits;
  readonly shares: Shares;
  readonly clock: SteadyClock;
  readonly log: Log;
  readonly takeTurn: TakeTurn;
}

/** /v1, for agents in pi: tokens of teams, and the shapes and codes of teamd. */
export function teamDoor(
  service: TeamService,
  { limits, shares, clock, log, takeTurn }: TeamDoorOptions,
): Hono<TeamEnv> {
  const app = new Hono<TeamEnv>();
  const takeRateToken = createRateLimit(limits, clock);
  app.use(async (c, next) => {
    c.set("operation", "team");
    const token = bearerToken(c.req.header("authorization"));
    const team = token === undefined ? undefined : service.files.teamOf(token);
    const pause = c.env.via.kind === "tcp" ? takeRateToken(bucketOf(team)) : 0;
    if (pause > 0) {
      c.header("retry-after", String(pause));
      throw new TeamFailure("TOO_MANY_REQUESTS", `at most ${limits.perSecond} requests a second`);
    }
    const tokenTeam = admit(c, token, team);
    // A team's token is valid while the daemon runs.
    if (c.env.via.kind === "tcp") c.env.via.keep?.(bucketOf(team), () => true);
    takeShares(c, shares, bucketOf(team));
    await takeTurn(c.env.incoming?.socket ?? c);
    const idempotencyKey = keyOf(c);
    const values = wellFormed({ ...uniqueQuery(c.req.queries()), ...(await bodyOf(c, limits.maxBodyBytes)) });
    c.set("team", { service, tokenTeam, values, idempotencyKey });
    await next();
  });
  boardRoutes(app);
  threadRoutes(app);
  workerRoutes(app);
  app.all("*", () => {
    throw new TeamFailure("NOT_FOUND", "there is no such route");
  });
  app.onError((error, c) => {
    const failure = requestFailure(error);
    if (failure) return answerTeamFailure(c, failure);
    log.error("a request to /v1 failed unexpectedly", { path: c.req.path, message: error.message, stack: error.stack });
    return answerTeamFailure(c, internalFailure());
  });
  return app;
}

/** A team may have any name, so only the prefix keeps its bucket apart from that of callers without a token. */
function bucketOf(team: string | undefined): string {
  return team === undefined ? "no token" : `team:${team}`;
}

/** The team that a caller is limited to. Without a token, the Unix socket gives access to all teams. */
function admit(c: TeamContext, token: string | undefined, team: string | undefined): string | undefined {
  if (team !== undefined || (token === undefined && c.env.via.kind === "unix")) return team;
  throw new TeamFailure("UNAUTHORIZED", "this needs a team's token, which is in the team's runtime.json");
}

function keyOf(c: TeamContext): string | undefined {
  const key = c.req.header("idempotency-key");
  if (key !== undefined && (key === "" || key.length > 200)) {
    throw new TeamFailure("INVALID_JSON", "an idempotency key has 1 to 200 characters");
  }
  return key;
}

const blanks: ReadonlySet<number> = new Set(Buffer.from(" \t\r\n"));

async function bodyOf(c: TeamContext, maxBytes: number): Promise<Readonly<Record<string, unknown>>> {
  if (c.req.method === "GET" || c.req.method === "HEAD") return {};
  const bytes = await readBytes(c.req.raw, maxBytes);
  return bytes.every((byte) => blanks.has(byte)) ? {} : parseJsonObject(bytes);
}
