import { randomBytes } from "node:crypto";
import { PanewardError } from "@paneward/sdk";
import type { LoginRecord, Passkey } from "../../model/records.ts";
import type { Clock, Log, PasskeyOwner, WebAuthn } from "../ports.ts";
import type { Lockouts } from "./lockouts.ts";
import type { Logins } from "./logins.ts";

export interface PasskeyDeps {
  readonly clock: Pick<Clock, "monotonic" | "now">;
  readonly log: Pick<Log, "warn">;
  readonly webAuthn: WebAuthn;
  readonly logins: Logins;
  /** By login: only the holder of a login's key can try its passkeys, so no other caller can lock it out. */
  readonly lockouts: Lockouts;
}

interface Pending {
  readonly owner: string;
  readonly origin: string;
  readonly until: number;
}

/** Passkeys, the second step on addresses that others can reach. What has to be signed is given once, to one owner. */
export class Passkeys {
  readonly #deps: PasskeyDeps;
  readonly #pending = new Map<string, Pending>();

  constructor(deps: PasskeyDeps) {
    this.#deps = deps;
  }

  optionsToMake(owner: PasskeyOwner, origin: string, known: readonly Passkey[]): Promise<object> {
    const challenge = this.#challenge(owner.id, origin);
    return this.#deps.webAuthn.makingOptions({ origin, challenge }, owner, known);
  }

  /** The passkey that the owner made. */
  async made(owner: string, origin: string, response: object): Promise<Passkey> {
    const challenge = this.#take(response, origin, (pending) => pending.owner === owner);
    const made = await this.#proved("this passkey cannot be used", () =>
      this.#deps.webAuthn.made({ origin, challenge }, response),
    );
    return { ...made, createdAt: this.#deps.clock.now() };
  }

  async optionsToUse({ id, passkeys = [] }: LoginRecord, origin: string): Promise<object> {
    this.#deps.lockouts.require(id);
    if (passkeys.length === 0) {
      throw new PanewardError("unauthorized", "this device has no passkey, and this address asks for one", {
        hint: "pair it again: `paneward pair`",
      });
    }
    const challenge = this.#challenge(id, origin);
    return this.#deps.webAuthn.usingOptions({ origin, challenge }, passkeys);
  }

  /** The login whose passkey signed what `optionsToUse` gave. */
  async used(response: object, origin: string): Promise<LoginRecord> {
    let owner = "";
    const challenge = this.#take(response, origin, (pending) => {
      owner = pending.owner;
      return true;
    });
    const { logins, lockouts, webAuthn, clock, log } = this.#deps;
    lockouts.require(owner);
    const login = logins.find(owner);
    const passkey = login?.passkeys?.find(({ id }) => id === field(response, "id"));
    try {
      if (!login || !passkey) throw refused("this passkey belongs to another device");
      const counter = await this.#proved("this passkey was not accepted", () =>
        webAuthn.used({ origin, challenge }, response, passkey),
      );
      lockouts.right(owner);
      const now = { ...passkey, counter, lastUsedAt: clock.now() };
      logins.update(owner, ({ passkeys = [] }) => ({
        passkeys: passkeys.map((one) => (one.id === now.id ? now : one)),
      }));
      return login;
    } catch (error) {
      lockouts.wrong(owner);
      log.warn("a passkey was not accepted", { login: owner, message: causeOf(error) });
      throw error;
    }
  }

  #challenge(owner: string, origin: string): string {
    const now = this.#deps.clock.monotonic();
    for (const [challenge, { until }] of this.#pending) if (until <= now) this.#pending.delete(challenge);
    const own = [...this.#pending].filter(([, pending]) => pending.owner === owner);
    for (const [oldest] of own.slice(0, 1 - maxPerOwner)) this.#pending.delete(oldest);
    const challenge = randomBytes(32).toString("base64url");
    this.#pending.set(challenge, { owner, origin, until: now + pendingMs });
    return challenge;
  }

  #take(response: object, origin: string, isFor: (pending: Pending) => boolean): string {
    const challenge = challengeIn(response);
    const pending = this.#pending.get(challenge);
    const isGood = pending && pending.origin === origin && pending.until > this.#deps.clock.monotonic();
    if (!pending || !isGood || !isFor(pending)) throw refused("this passkey was asked for too long ago");
    this.#pending.delete(challenge);
    return challenge;
  }

  async #proved<Result>(what: string, prove: () => Promise<Result>): Promise<Result> {
    try {
      return await prove();
    } catch (cause) {
      throw refused(what, cause);
    }
  }
}

const pendingMs = 300_000;
const maxPerOwner = 8;

function refused(message: string, cause?: unknown): PanewardError {
  return new PanewardError("unauthorized", message, {
    hint: "try again; if the passkey is lost, revoke this device and pair it again: `paneward pair`",
    ...(cause === undefined ? {} : { cause }),
  });
}

function causeOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}

/** What the response says that it signed; whether it did is checked by WebAuthn. */
function challengeIn(response: object): string {
  try {
    const text = Buffer.from(String(field(field(response, "response"), "clientDataJSON")), "base64url").toString();
    return String(field(JSON.parse(text), "challenge"));
  } catch {
    return "";
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
