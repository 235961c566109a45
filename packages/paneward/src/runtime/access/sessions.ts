import { createPublicKey, type KeyObject, randomBytes, verify } from "node:crypto";
import { PanewardError } from "@paneward/sdk";
import { browserText } from "@paneward/sdk/identity";
import type { LoginRecord } from "../../model/records.ts";
import type { Clock } from "../ports.ts";

/**
 * What a logged-in browser sends with its requests, for as long as this daemon process runs. Only in memory: whoever takes
 * over the port after the daemon has ended gets nothing that the next daemon would accept.
 */
export class Sessions {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #challenges = new Map<string, number>();
  readonly #open = new Map<string, { readonly login: string; readonly until: number }>();

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
  }

  /** Something to sign, once. */
  challenge(): string {
    const challenge = randomBytes(24).toString("base64url");
    put(this.#challenges, challenge, this.#clock.monotonic() + challengeMs);
    return challenge;
  }

  /** Opens a session for the holder of the login's key. */
  open(login: LoginRecord, host: string, challenge: string, signature: string): string {
    const until = this.#challenges.get(challenge) ?? 0;
    this.#challenges.delete(challenge);
    const isFresh = until > this.#clock.monotonic();
    const key = login.key === undefined ? undefined : browserKey(login.key);
    if (!isFresh || !key || !isSigned(key, browserText(host, login.id, challenge), signature)) {
      throw new PanewardError("unauthorized", "this browser is not logged in", { hint: loginHint });
    }
    const session = `${prefix}${randomBytes(32).toString("base64url")}`;
    const own = [...this.#open].flatMap(([one, opened]) => (opened.login === login.id ? [one] : []));
    for (const oldest of own.slice(0, 1 - maxPerLogin)) this.#open.delete(oldest);
    put(this.#open, session, { login: login.id, until: this.#clock.monotonic() + sessionMs });
    return session;
  }

  /** The id of the login that a session belongs to. */
  loginOf(session: string): string | undefined {
    const found = this.#open.get(session);
    return found && found.until > this.#clock.monotonic() ? found.login : undefined;
  }
}

export const loginHint = "log in again: `paneward login link`";

export function isSession(bearer: string): boolean {
  return bearer.startsWith(prefix);
}

/** A browser's public key; undefined if it is none. */
export function browserKey(base64: string): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: Buffer.from(base64, "base64"), format: "der", type: "spki" });
    return key.asymmetricKeyDetails?.namedCurve === "prime256v1" ? key : undefined;
  } catch {
    return undefined;
  }
}

const prefix = "pws_";
const challengeMs = 60_000;
const sessionMs = 12 * 3_600_000;
// Strangers can ask for challenges; the oldest are dropped.
const maxKept = 10_000;
// A session for each tab. One browser that opens many ends its own oldest ones, never those of others.
const maxPerLogin = 64;

function put<Value>(map: Map<string, Value>, key: string, value: Value): void {
  for (const [oldest] of map) if (map.size >= maxKept) map.delete(oldest);
  map.set(key, value);
}

function isSigned(key: KeyObject, text: string, signature: string): boolean {
  const bytes = Buffer.from(signature, "base64");
  return verify("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" }, bytes);
}
