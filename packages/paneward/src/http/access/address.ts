import { isIP } from "node:net";
import type { Via } from "../env.ts";

/**
 * Where a client seems to be, for people and for counting wrong tries. The daemon sees only its own machine; behind a proxy
 * it is what the proxy appended to X-Forwarded-For. A proxy that does not set it passes on what the client claims, and any
 * local program can claim anything, so nothing is allowed because of it.
 */
export function addressOf({ via, header }: AddressFacts): string {
  if (via.kind !== "tcp" || header("host") === `${loopback}:${via.port}`) return loopback;
  const last = header("x-forwarded-for")?.split(",").at(-1)?.trim() ?? "";
  return isIP(last) === 0 ? "an unknown address" : last;
}

interface AddressFacts {
  readonly via: Via;
  readonly header: (name: string) => string | undefined;
}

const loopback = "127.0.0.1";
