import type { HttpContext } from "../env.ts";
import { addressOf } from "./address.ts";
import { factsOf } from "./gates.ts";
import { createRateLimit, type Limits, type SteadyClock, tooMany } from "./limits.ts";

type Handler = (c: HttpContext) => Response | Promise<Response>;

/**
 * Limits requests of callers that are not known yet. Each address has its own limit, and the programs of this user have
 * one that no stranger uses up.
 */
export function limitStrangers(
  limits: Pick<Limits, "perSecond" | "burst">,
  clock: SteadyClock,
  answer: Handler,
): Handler {
  const takeRateToken = createRateLimit(limits, clock);
  return async (c) => {
    if (takeRateToken(addressOf(factsOf(c))) === 0) return answer(c);
    if ((await isOwn(c)) && takeRateToken("own programs") === 0) return answer(c);
    throw tooMany(limits);
  };
}

// A proxy may be one of this user's programs; those who come through it are not.
async function isOwn(c: HttpContext): Promise<boolean> {
  const { via } = c.env;
  if (via.kind !== "tcp" || c.get("site")?.host !== `127.0.0.1:${via.port}`) return false;
  return (await via.isOwn?.()) ?? false;
}
