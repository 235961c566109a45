import type { Outcome } from "./message.ts";
import type { Change, Send } from "./notice.ts";

/** A send after an attempt. What may have been sent is repeated only where that shows nothing twice. */
export function afterAttempt(send: Send, outcome: Outcome, at: number, isIdempotent: boolean): Send {
  const { nextAt: _nextAt, reason: _reason, ...rest } = send;
  const attempts = send.attempts;
  switch (outcome.kind) {
    case "sent": {
      const { perhaps: _perhaps, ...sure } = rest;
      return {
        ...sure,
        state: outcome.delivered ? "delivered" : "sent",
        at,
        ...(outcome.ref === undefined ? {} : { ref: outcome.ref }),
      };
    }
    case "refused":
      return { ...rest, state: "failed", at, reason: outcome.said, ...(outcome.nobody ? { nobody: true } : {}) };
    case "later":
      return again(rest, attempts, outcome.said, at, outcome.afterMs);
    case "unknown":
      return isIdempotent
        ? again({ ...rest, perhaps: true }, attempts, outcome.said, at)
        : { ...rest, state: "unknown", at, reason: outcome.said };
  }
}

function again(send: Send, attempts: number, said: string, at: number, afterMs?: number): Send {
  if (attempts >= maxAttempts) return { ...send, state: "failed", at, reason: `${said}, ${attempts} times` };
  return { ...send, state: "queued", at, reason: said, nextAt: at + pauseAfter(attempts, afterMs) };
}

/** Over an hour altogether; a service that names a pause is given it. */
export const maxAttempts = 8;

function pauseAfter(attempts: number, afterMs: number | undefined): number {
  const own = Math.min(firstPauseMs * 3 ** Math.max(0, attempts - 1), maxPauseMs);
  return Math.min(Math.max(afterMs ?? own, minPauseMs), dayMs);
}

const firstPauseMs = 2_000;
const minPauseMs = 1_000;
const maxPauseMs = 20 * 60_000;
const dayMs = 24 * 3_600_000;

/** A send after it was withdrawn or updated. Doing that twice does no harm, so it is tried again as often. */
export function afterChange(send: Send, outcome: Outcome, at: number): Send {
  const { change, ...rest } = send;
  if (!change) return send;
  if (change.next !== undefined) {
    const ref = outcome.kind === "sent" && outcome.ref !== undefined ? { ref: outcome.ref } : {};
    const { next: does, nextNote: note } = change;
    return { ...rest, ...ref, change: { does, state: "queued", attempts: 0, ...(note === undefined ? {} : { note }) } };
  }
  const withdrawn: Send = change.does === "withdraw" ? { ...rest, state: "withdrawn", at } : rest;
  if (outcome.kind === "sent") return outcome.ref === undefined ? withdrawn : { ...withdrawn, ref: outcome.ref };
  if (outcome.kind !== "refused" && change.attempts < maxAttempts) {
    const afterMs = outcome.kind === "later" ? outcome.afterMs : undefined;
    const next: Change = { ...change, state: "queued", nextAt: at + pauseAfter(change.attempts, afterMs) };
    return { ...send, change: next };
  }
  // It stays where it is; its buttons answer nothing any more.
  return { ...rest, reason: `could not be ${change.does === "withdraw" ? "withdrawn" : "updated"}: ${outcome.said}` };
}
