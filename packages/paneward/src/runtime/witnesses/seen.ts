import { createHash } from "node:crypto";
import type { AskedNow } from "../../agents/agent.ts";

/** A question with the hash by which it is known again; empty when only a hook told of it. */
export interface Seen extends AskedNow {
  readonly hash: string;
}

export function seen(asked: AskedNow): Seen {
  return { ...asked, hash: hashOf(asked.region) };
}

/** Of the lines that are a question. No lines, no hash. */
export function hashOf(region: string): string {
  return region === "" ? "" : createHash("sha256").update(region).digest("hex").slice(0, 32);
}
