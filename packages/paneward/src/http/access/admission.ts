import { PanewardError } from "@paneward/sdk";
import type { Caller } from "../../runtime/calls.ts";
import type { Authenticate, RequestFacts } from "./authenticate.ts";
import { createRateLimit, type Limits, type SteadyClock, tooMany } from "./limits.ts";

/** The caller, or why it is refused; `pause` is how many seconds to wait before the next request. */
export type Admission =
  | { readonly caller: Caller; readonly refused?: never }
  | { readonly caller?: never; readonly refused: PanewardError; readonly pause?: number };

export type Admit = (facts: RequestFacts) => Admission;

/** Authenticates a request and applies the rate limit. Unknown callers share one bucket. */
export function createAdmission(authenticate: Authenticate, limits: Limits, clock: SteadyClock): Admit {
  const takeRateToken = createRateLimit(limits, clock);
  return (facts) => {
    const caller = authenticate(facts);
    const known = !(caller instanceof PanewardError);
    const pause = facts.via.kind === "tcp" ? takeRateToken(known ? caller.who : "strangers") : 0;
    if (pause > 0) return { refused: tooMany(limits), pause };
    return known ? { caller } : { refused: caller };
  };
}
