import { createHmac, createPublicKey, type KeyObject, randomBytes, timingSafeEqual, verify } from "node:crypto";
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
  readonly #secret = randomBytes(32);
  readonly #signed = new Map<string, number>();
  readonly #open = new Map<string, { readonly login: string; readonly host: string; readonly until: number }>();

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
  }

  /** Something to sign, once. Nothing is kept of it: strangers can ask for as many as they like. */
  challenge(): string {
    const until = Math.ceil(this.#clock.monotonic() + challengeMs);
    const text = `${until.toString(36)}.${randomBytes(18).toString("base64url")}`;
    return `${text}.${this.#mark(text)}`;
  }

  /** Throws unless the holder of the login's key signed a challenge for this host. */
  prove(login: LoginRecord, host: string, challenge: string, signature: string): void {
    const key = login.key === undefined ? undefined : browserKey(login.key);
    const isGood = this.#isFresh(challenge) && key && isSigned(key, browserText(host, login.id, challenge), signature);
    if (!isGood) throw new PanewardError("unauthorized", "this browser is not logged in", { hint: loginHint });
    put(this.#signed, challenge, this.#clock.monotonic() + challengeMs);
  }

  /** A session for a login that has proved itself, valid under this host only. */
  open({ id }: LoginRecord, host: string): string {
    const session = `${prefix}${randomBytes(32).toString("base64url")}`;
    const own = [...this.#open].flatMap(([one, { login }]) => (login === id ? [one] : []));
    for (const oldest of own.slice(0, 1 - maxPerLogin)) this.#open.delete(oldest);
    put(this.#open, session, { login: id, host, until: this.#clock.monotonic() + sessionMs });
    return session;
  }

  /** The id of the login that a session belongs to. */
  loginOf(session: string, host: string): string | undefined {
    const found = this.#open.get(session);
    return found && found.host === host && found.until > this.#clock.monotonic() ? found.login : undefined;
  }

  #isFresh(challenge: string): boolean {
    const [until = "", random = "", mark = ""] = challenge.split(".");
    const good = Buffer.from(this.#mark(`${until}.${random}`));
    const given = Buffer.from(mark);
    if (good.length !== given.length || !timingSafeEqual(good, given)) return false;
    return Number.parseInt(until, 36) > this.#clock.monotonic() && !this.#signed.has(challenge);
  }

  #mark(text: string): string {
    return createHmac("sha256", this.#secret).update(text).digest("base64url").slice(0, 22);
  }
}

export const loginHint = "log in again: `paneward login link`";

export function isSession(bearer: string): boolean {
  return bearer.startsWith(prefix);
}

/** A browser's public key; undefined for anything else. */
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
// Only logins fill these.
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
