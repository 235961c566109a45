import { type OperationName, PanewardError } from "@paneward/sdk";
import type { Clock } from "../../runtime/ports.ts";

/** Limits for each caller. */
export interface Limits {
  readonly maxBodyBytes: number;
  /** For operations whose valid inputs may be longer. */
  readonly maxBodyBytesOf: Partial<Readonly<Record<OperationName, number>>>;
  /** The rate limit of a caller on TCP: requests a second, and how many at once. The Unix socket has none. */
  readonly perSecond: number;
  readonly burst: number;
  /** Requests of one caller on TCP whose bodies are long, or of unknown length, and are read at the same time. */
  readonly maxLongBodies: number;
  /** Requests and calls of one caller on TCP whose responses it has not taken yet, and how many of these may be long. */
  readonly maxRequests: number;
  readonly maxLongAnswers: number;
  readonly heartbeatMs: number;
  /** An event stream or call link is closed when its client has read nothing for this long. */
  readonly blockedMs: number;
  /** Calls of one link that may be pending at the same time. */
  readonly maxPendingCalls: number;
  /** How long a closing link waits for its pending calls. */
  readonly graceMs: number;
}

const mebibyte = 1_048_576;

export const defaultLimits: Limits = {
  maxBodyBytes: 4 * mebibyte,
  // Two million characters may be six million bytes.
  // A file of 8 MiB in base64, and its name.
  maxBodyBytesOf: { send: 8 * mebibyte, new: 8 * mebibyte, attachment_add: 11.5 * mebibyte },
  perSecond: 50,
  burst: 200,
  maxLongBodies: 16,
  maxRequests: 2_000,
  maxLongAnswers: 16,
  heartbeatMs: 15_000,
  blockedMs: 60_000,
  maxPendingCalls: 1_000,
  graceMs: 1_000,
};

/** The maximum over all operations. */
export function maxBody({ maxBodyBytes, maxBodyBytesOf }: Limits): number {
  return Math.max(maxBodyBytes, ...Object.values(maxBodyBytesOf));
}

export function bodyLimit(limits: Limits, operation: OperationName): number {
  return limits.maxBodyBytesOf[operation] ?? limits.maxBodyBytes;
}

/** Limits are monotonic: they hold when the machine's clock is set. */
export type SteadyClock = Pick<Clock, "monotonic">;

/** Takes a token from the caller's bucket. Returns 0, or in how many seconds the bucket has one again. */
export type TakeRateToken = (who: string) => number;

export function createRateLimit(
  { perSecond, burst }: Pick<Limits, "perSecond" | "burst">,
  clock: SteadyClock,
): TakeRateToken {
  const buckets = new Map<string, { readonly level: number; readonly at: number }>();
  // The names come from outside. A bucket that is full again is like one that was never used.
  const dropFull = (now: number) => {
    for (const [who, { level, at }] of buckets) {
      if (level + (Math.max(0, now - at) / 1_000) * perSecond >= burst) buckets.delete(who);
    }
  };
  return (who) => {
    const now = clock.monotonic();
    if (buckets.size > maxBuckets) dropFull(now);
    const bucket = buckets.get(who) ?? { level: burst, at: now };
    const level = Math.min(burst, bucket.level + (Math.max(0, now - bucket.at) / 1_000) * perSecond);
    buckets.set(who, { level: level < 1 ? level : level - 1, at: now });
    return level < 1 ? Math.ceil((1 - level) / perSecond) : 0;
  };
}

const maxBuckets = 10_000;

export function tooMany({ perSecond }: Pick<Limits, "perSecond">): PanewardError {
  return new PanewardError("rate_limited", `more than ${perSecond} requests a second from this caller`);
}

export function tooLarge(maxBytes: number): PanewardError {
  return new PanewardError("too_large", `the body is longer than ${maxBytes} bytes`);
}
