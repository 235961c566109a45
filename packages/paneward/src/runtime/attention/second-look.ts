import type { Evidence } from "../../model/attention/evidence.ts";
import {
  notReadingMs,
  questionOverrulesLookMs,
  readSecondLookMs,
  secondLookAgainMs,
  secondLookMs,
  vagueSecondLookMs,
} from "../../model/timing.ts";
import { type IdentifiedQuestion, withHash } from "./question-identity.ts";
import type { SeenScreen } from "./screen.ts";
import type { Watched } from "./watched.ts";

export interface SeenTwice {
  /** What the screen says, once two looks agree. */
  readonly evidence?: Evidence<IdentifiedQuestion>;
  /** When to look again although nothing is printed. */
  readonly againMs?: number;
}

/**
 * A look may catch a half-drawn screen: a new reading counts when a second look finds the same. A reading that may be
 * prose must last longer, and so must a question of a program that does not read its terminal: most begin to.
 */
export function seeTwice(watched: Watched, reading: SeenScreen, now: number): SeenTwice {
  const question = reading.question && withHash(reading.question);
  const key = `${reading.says} ${reading.detail ?? ""} ${question?.hash ?? ""}`;
  const isUnknown = reading.says === "unknown";
  watched.isUnderstood ||= !isUnknown;
  watched.looksWithoutResult = isUnknown ? watched.looksWithoutResult + 1 : 0;
  if (!isUnknown) watched.openLinesWithoutResult = 0;
  else if (watched.isOpenLine) watched.openLinesWithoutResult += 1;
  watched.isOpenLine = false;
  const again = key === watched.confirmed;
  const since = watched.pending?.reading === key ? watched.pending.at : undefined;
  const againMs = again ? undefined : untilItCounts(reading, since === undefined ? undefined : now - since);
  if (againMs !== undefined) {
    if (since === undefined) watched.pending = { reading: key, at: now, listening: reading.listening };
    return { againMs };
  }
  watched.confirmed = key;
  watched.pending = undefined;
  const { says, rule, detail, unverified } = reading;
  return {
    evidence: {
      witness: "screen",
      says,
      rule,
      ...(again ? { at: now } : { at: since ?? now, seenAt: now }),
      ...(detail === undefined ? {} : { detail }),
      ...(question === undefined ? {} : { question }),
      ...(unverified ? { unverified } : {}),
    },
    // A question that lasts overrules an agent that reports work: that takes another look.
    ...(says === "needs_input" && !again ? { againMs: questionOverrulesLookMs } : {}),
  };
}

/** When to look again before a new reading counts; undefined when it has lasted long enough. */
function untilItCounts({ vague, listening }: SeenScreen, lastedMs: number | undefined): number | undefined {
  const isUnread = listening?.reads === "no";
  // In raw mode a program may wait for a key and draw more.
  const isComplete = listening?.waits === true && !listening.raw;
  const usualMs = isComplete ? readSecondLookMs : secondLookMs;
  const waitMs = isUnread ? notReadingMs : vague ? vagueSecondLookMs : usualMs;
  if (lastedMs === undefined) return isUnread ? secondLookMs : waitMs;
  if (lastedMs >= waitMs) return undefined;
  return isUnread
    ? Math.min(Math.max(secondLookMs, lastedMs), waitMs - lastedMs)
    : Math.min(secondLookAgainMs, waitMs - lastedMs);
}
