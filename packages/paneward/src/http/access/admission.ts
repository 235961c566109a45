import { PanewardError } from "@paneward/sdk";
import type { Caller } from "../../runtime/calls.ts";
import type { Authenticate, RequestFacts } from "./authenticate.ts";
import { createRateLimit, type Limits, type SteadyClock, tooMany } from "./limits.ts";

/** Who asks, or why they are turned away; `pause` says how many seconds to wait before asking again. */
export type Admitted =
  | { readonly caller: Caller }
  | { readonly caller?: never; readonly refused: PanewardError; readonly pause?: number };

export type Admit = (facts: RequestFacts) => Admitted;

/** Who asks, and whether that is too often. Strangers share one bucket. */
export function createAdmission(authenticate: Authenticate, limits: Limits, clock: SteadyClock): Admit {
  const takeOne = createRateLimit(limits, clock);
  return (facts) => {
    const caller = authenticate(facts);
    const known = !(caller instanceof PanewardError);
    const pause = facts.via.kind === "tcp" ? takeOne(known ? caller.who : "strangers") : 0;
    if (pause > 0) return { refused: tooMany(limits), pause };
    return known ? { caller } : { refused: caller };
  };
}
