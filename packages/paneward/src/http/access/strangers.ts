import type { HttpContext } from "../env.ts";
import { addressOf } from "./address.ts";
import { factsOf } from "./gates.ts";
import { createRateLimit, type Limits, type SteadyClock, tooMany } from "./limits.ts";

type Handler = (c: HttpContext) => Response | Promise<Response>;

/**
 * Answers so many requests of callers that nobody knows yet. Each address has its own limit, and the programs of this user have
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

async function isOwn({ env: { via } }: HttpContext): Promise<boolean> {
  return via.kind === "tcp" && via.isOwn !== undefined && via.isOwn();
}
