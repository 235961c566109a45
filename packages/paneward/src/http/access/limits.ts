import { type OperationName, PanewardError } from "@paneward/sdk";
import type { Clock } from "../../runtime/ports.ts";

/** How much one caller may ask for. */
export interface Limits {
  /** The longest body, in bytes. */
  readonly bodyBytes: number;
  /** Operations whose longest valid input is longer than that. */
  readonly bodyBytesOf: Partial<Readonly<Record<OperationName, number>>>;
  /** Requests a second and at once, per caller on TCP; the Unix socket has no such limit. */
  readonly perSecond: number;
  readonly burst: number;
  readonly heartbeatMs: number;
  /** An event stream or call link whose reader took nothing for so long is closed. */
  readonly blockedMs: number;
  /** Calls of one link that may wait for their answers at the same time. */
  readonly callsAtOnce: number;
  /** So long they may still be answered when the link is to end. */
  readonly graceMs: number;
}

const mebibyte = 1_048_576;

export const defaultLimits: Limits = {
  bodyBytes: 4 * mebibyte,
  // Two million characters may be six million bytes.
  bodyBytesOf: { send: 8 * mebibyte, new: 8 * mebibyte },
  perSecond: 50,
  burst: 200,
  heartbeatMs: 15_000,
  blockedMs: 60_000,
  callsAtOnce: 1_000,
  graceMs: 1_000,
};

/** The longest body of any operation. */
export function maxBody({ bodyBytes, bodyBytesOf }: Limits): number {
  return Math.max(bodyBytes, ...Object.values(bodyBytesOf));
}

export function bodyLimit(limits: Limits, operation: OperationName): number {
  return limits.bodyBytesOf[operation] ?? limits.bodyBytes;
}

/** A limit must hold when the machine's clock is set. */
export type SteadyClock = Pick<Clock, "monotonic">;

/** Takes one from the caller's bucket: 0 when there was one, else the seconds until there is. */
export type TakeOne = (who: string) => number;

export function createRateLimit(
  { perSecond, burst }: Pick<Limits, "perSecond" | "burst">,
  clock: SteadyClock,
): TakeOne {
  const buckets = new Map<string, { readonly level: number; readonly at: number }>();
  return (who) => {
    const now = clock.monotonic();
    const bucket = buckets.get(who) ?? { level: burst, at: now };
    const level = Math.min(burst, bucket.level + (Math.max(0, now - bucket.at) / 1_000) * perSecond);
    buckets.set(who, { level: level < 1 ? level : level - 1, at: now });
    return level < 1 ? Math.ceil((1 - level) / perSecond) : 0;
  };
}

export function tooMany({ perSecond }: Limits): PanewardError {
  return new PanewardError("rate_limited", `more than ${perSecond} requests a second came from this caller`);
}

export function tooLarge(longest: number): PanewardError {
  return new PanewardError("too_large", `the body is longer than ${longest} bytes`);
}
