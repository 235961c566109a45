import type { ScreenReading } from "../../agents/agent.ts";
import type { Evidence } from "../../model/attention/evidence.ts";
import { questionOverrulesLookMs, secondLookAgainMs, secondLookMs, vagueSecondLookMs } from "../../model/timing.ts";
import { type IdentifiedQuestion, withHash } from "./question-identity.ts";
import type { Watched } from "./watched.ts";

export interface SeenTwice {
  /** What the screen says, once two looks agree. */
  readonly evidence?: Evidence<IdentifiedQuestion>;
  /** When to look again although nothing is printed. */
  readonly againMs?: number;
}

/**
 * A look may catch a half-drawn screen: a new reading counts when a second look finds the same. A reading that may be
 * prose must last longer.
 */
export function seeTwice(
  watched: Watched,
  reading: ScreenReading & { readonly vague?: boolean },
  now: number,
): SeenTwice {
  const question = reading.question && withHash(reading.question);
  const key = `${reading.says} ${reading.detail ?? ""} ${question?.hash ?? ""}`;
  watched.looksWithoutResult = reading.says === "unknown" ? watched.looksWithoutResult + 1 : 0;
  const waitMs = reading.vague ? vagueSecondLookMs : secondLookMs;
  const again = key === watched.confirmed;
  const since = watched.pending?.reading === key ? watched.pending.at : undefined;
  if (!again && since === undefined) {
    watched.pending = { reading: key, at: now };
    return { againMs: waitMs };
  }
  if (!again && now - (since ?? now) < waitMs) return { againMs: secondLookAgainMs };
  watched.confirmed = key;
  watched.pending = undefined;
  const { says, rule, detail } = reading;
  return {
    evidence: {
      witness: "screen",
      says,
      rule,
      ...(again ? { at: now } : { at: since ?? now, seenAt: now }),
      ...(detail === undefined ? {} : { detail }),
      ...(question === undefined ? {} : { question }),
    },
    // A question that lasts overrules an agent that reports work: that takes another look.
    ...(says === "needs_input" && !again ? { againMs: questionOverrulesLookMs } : {}),
  };
}
