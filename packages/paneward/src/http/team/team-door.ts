import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Log, WallClock } from "../../runtime/ports.ts";
import { answerV1, failed, type V1Request } from "../../runtime/team/answer.ts";
import type { TeamService } from "../../runtime/team/team.ts";
import { bearerToken } from "../access/authenticate.ts";
import { createRateLimit, type Limits } from "../access/limits.ts";
import type { HttpContext } from "../env.ts";

/** /v1, which agents in pi speak: tokens of teams, and the shapes and codes of teamd. */
export function teamDoor(
  service: TeamService,
  { limits, clock, log }: { readonly limits: Limits; readonly clock: WallClock; readonly log: Log },
): (c: HttpContext) => Promise<Response> {
  const takeOne = createRateLimit(limits, clock);
  const answer = (c: HttpContext, { status, body }: { readonly status: number; readonly body: unknown }) =>
    c.json(body, status as ContentfulStatusCode);
  const refusal = (c: HttpContext, token: string | undefined) => {
    const whose = token === undefined ? undefined : service.files.teamOf(token);
    if (c.env.via.kind === "tcp" && takeOne(whose ?? "strangers") > 0) {
      return failed("TOO_MANY_REQUESTS", `at most ${limits.perSecond} requests a second`);
    }
    const tooLong = Number(c.req.header("content-length") ?? 0) > limits.bodyBytes;
    return tooLong ? failed("PAYLOAD_TOO_LARGE", `a body has at most ${limits.bodyBytes} bytes`) : undefined;
  };
  return async (c) => {
    c.set("operation", "team");
    const token = bearerToken(c.req.header("authorization"));
    const refused = refusal(c, token);
    if (refused) return answer(c, refused);
    try {
      return answer(c, await answerV1(service, await requestOf(c, token)));
    } catch (error) {
      const { message, stack } = error as Error;
      log.error("a request to /v1 failed unexpectedly", { path: c.req.path, message, stack });
      return answer(c, failed("INTERNAL_ERROR", "the daemon failed in a way it did not foresee; its log has more"));
    }
  };
}

async function requestOf(c: HttpContext, token: string | undefined): Promise<V1Request> {
  const needed = c.env.via.kind === "tcp" ? "none" : "not_needed";
  return {
    method: c.req.method,
    path: new URL(c.req.url).pathname,
    query: c.req.query(),
    body: c.req.method === "GET" ? undefined : await c.req.text(),
    key: c.req.header("idempotency-key"),
    token: token === undefined ? { kind: needed } : { kind: "bearer", text: token },
    signal: c.req.raw.signal,
  };
}
