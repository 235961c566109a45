import { randomBytes, randomInt } from "node:crypto";
import { PanewardError, type Scope } from "@paneward/sdk";
import { groupCode, makeCode, makeNumber, readCode } from "../../model/pairing-code.ts";
import type { LoginRecord, Passkey } from "../../model/records.ts";
import type { Cancel, Clock } from "../ports.ts";
import { within } from "../within.ts";
import type { Lockouts } from "./lockouts.ts";
import { type Logins, requireKey } from "./logins.ts";
import { isOver, nameOf, notAsked, notUsable, type PairingState, pairHint, requireOpen } from "./pairing-state.ts";
import { hasHash, hashOf } from "./tokens.ts";

/** A device that asks to be paired. */
export interface AskingDevice {
  readonly key: string;
  /** What it calls itself. */
  readonly name: string;
  /** Where it seems to be. */
  readonly address: string;
  /** The page's address. */
  readonly origin: string | undefined;
  readonly needsPasskey: boolean;
}

interface Asked extends AskingDevice {
  readonly number: string;
  readonly ticketHash: string;
}

interface Pairing {
  readonly id: string;
  readonly scope: Scope;
  readonly name: string | undefined;
  readonly secretHash: string;
  readonly code: string;
  readonly listeners: Set<() => void>;
  state: PairingState;
  asked: Asked | undefined;
  wrongCodes: number;
  wrongNumbers: number;
  cancelEnd: Cancel;
}

export const pairingMs = 180_000;
const maxWrongCodes = 20;
const maxWrongNumbers = 3;
const maxRemembered = 8;
const scanHint = "scan the QR code, or open the link; or make a new code: `paneward pair`";

/**
 * Pairs one device at a time, in memory: a code that is shown at the terminal is used once by a device, which gets a number;
 * who types that number at the terminal has the device in front of them. A photo of the code is not enough, nor is a guess.
 */
export class Pairings {
  readonly #clock: Clock;
  readonly #logins: Logins;
  readonly #lockouts: Lockouts;
  #current: Pairing | undefined;
  readonly #known = new Map<string, Pairing>();

  constructor(clock: Clock, logins: Logins, lockouts: Lockouts) {
    this.#clock = clock;
    this.#logins = logins;
    this.#lockouts = lockouts;
  }

  /** A new pairing ends the one before. */
  start(wanted: { readonly scope: Scope; readonly name?: string | undefined }) {
    if (this.#current) this.#end(this.#current, "another `paneward pair` took its place");
    const secret = randomBytes(16).toString("base64url");
    const pairing: Pairing = {
      ...{ id: randomBytes(4).toString("hex"), scope: wanted.scope, name: wanted.name },
      ...{ secretHash: hashOf(secret), code: makeCode((limit) => randomInt(limit)), listeners: new Set() },
      ...{ state: { state: "open", codeIsOff: false }, asked: undefined, wrongCodes: 0, wrongNumbers: 0 },
      cancelEnd: () => {},
    };
    this.#current = pairing;
    this.#known.set(pairing.id, pairing);
    for (const [oldest] of this.#known) if (this.#known.size > maxRemembered) this.#known.delete(oldest);
    this.#endsIn(pairing, pairingMs, "nobody used it within 3 minutes");
    return { id: pairing.id, secret, code: groupCode(pairing.code), expiresAt: this.#clock.now() + pairingMs };
  }

  /** The state, once it differs from the one that the caller has seen, or after `ms`. */
  async wait(id: string, seen: string | undefined, ms: number, signal?: AbortSignal): Promise<PairingState> {
    const pairing = this.#by(id);
    await this.#until(pairing, () => nameOf(pairing.state) !== seen, ms, signal);
    return pairing.state;
  }

  /** Who is at the terminal typed the number that the device shows. */
  confirm(id: string, number: string): PairingState {
    const pairing = this.#by(id);
    const { asked } = pairing;
    if (pairing.state.state !== "asked" || !asked) throw notAsked(pairing.state);
    if (number.replace(/\s/g, "") !== asked.number) {
      pairing.wrongNumbers++;
      if (pairing.wrongNumbers >= maxWrongNumbers) this.#end(pairing, "the number was wrong three times");
      throw new PanewardError("bad_input", "the device shows another number", {
        hint: "type the number that your own device shows; if it shows none, another device used the code: refuse it",
      });
    }
    const { name: device, address } = asked;
    if (!asked.needsPasskey) this.#finish(pairing, asked, []);
    else {
      this.#endsIn(pairing, pairingMs, "the device made no passkey within 3 minutes");
      this.#change(pairing, { state: "confirmed", device, address });
    }
    return pairing.state;
  }

  refuse(id: string): PairingState {
    const pairing = this.#by(id);
    this.#end(pairing, "refused at the terminal");
    return pairing.state;
  }

  /** A device uses the code: the link once, or the short code that a person typed. */
  ask(how: { readonly link: string } | { readonly code: string }, device: AskingDevice) {
    requireKey(device);
    const pairing = "link" in how ? this.#byLink(how.link) : this.#byCode(how.code, device.address);
    const ticket = randomBytes(32).toString("base64url");
    const number = makeNumber((limit) => randomInt(limit));
    pairing.asked = { ...device, number, ticketHash: hashOf(ticket) };
    this.#change(pairing, { state: "asked", device: device.name, address: device.address });
    return { ticket, number };
  }

  /** What the device that holds this ticket waits for: the state after "asked". */
  async waitAsDevice(ticket: string, ms: number, signal?: AbortSignal): Promise<PairingState> {
    const pairing = this.#byTicket(ticket);
    await this.#until(pairing, () => pairing.state.state !== "asked", ms, signal);
    return pairing.state;
  }

  /** The device that was confirmed and has to make a passkey. */
  confirmed(ticket: string): Asked & { readonly id: string } {
    const { state, asked, id, name } = this.#byTicket(ticket);
    if (state.state !== "confirmed" || !asked)
      throw notUsable(state.state === "over" ? state.why : "it is not confirmed yet");
    return { ...asked, id, name: name ?? asked.name };
  }

  /** Its passkey is made. */
  complete(ticket: string, passkey: Passkey): LoginRecord {
    const pairing = this.#byTicket(ticket);
    const { asked } = pairing;
    if (pairing.state.state !== "confirmed" || !asked) throw notUsable("it is not confirmed");
    return this.#finish(pairing, asked, [passkey]);
  }

  #finish(pairing: Pairing, { key, name, origin }: Asked, passkeys: readonly Passkey[]): LoginRecord {
    const login = this.#logins.pair({
      ...{ key, scope: pairing.scope, name: pairing.name ?? name },
      origin,
      ...(passkeys.length === 0 ? {} : { passkeys }),
    });
    pairing.cancelEnd();
    this.#change(pairing, { state: "paired", login });
    return login;
  }

  #byLink(secret: string): Pairing {
    const hash = hashOf(secret);
    const pairing = [...this.#known.values()].find(({ secretHash }) => secretHash === hash);
    if (!pairing) throw notUsable("it is not known, or it has expired");
    requireOpen(pairing.state);
    return pairing;
  }

  // Addresses can be forged where a proxy passes them on, so the guesses at one pairing are counted as well. After that
  // only the link is left, which nobody can guess.
  #byCode(typed: string, address: string): Pairing {
    this.#lockouts.require(address);
    const code = readCode(typed);
    if (code === undefined) throw new PanewardError("bad_input", "a code has 8 letters and digits, such as ABCD-2345");
    const pairing = this.#current;
    const isOff = pairing?.state.state === "open" && pairing.state.codeIsOff;
    if (pairing && !isOff && hasHash(code, hashOf(pairing.code))) {
      this.#lockouts.right(address);
      requireOpen(pairing.state);
      return pairing;
    }
    this.#lockouts.wrong(address);
    if (pairing) {
      pairing.wrongCodes++;
      if (pairing.state.state === "open" && !isOff && pairing.wrongCodes >= maxWrongCodes)
        this.#change(pairing, { state: "open", codeIsOff: true });
    }
    if (isOff) throw new PanewardError("rate_limited", "too many wrong codes were typed", { hint: scanHint });
    throw notUsable("it is not the one that the terminal shows, or it has expired");
  }

  #byTicket(ticket: string): Pairing {
    const pairing = [...this.#known.values()].find(({ asked }) => asked && hasHash(ticket, asked.ticketHash));
    if (!pairing) throw notUsable("it is not known any more");
    return pairing;
  }

  #by(id: string): Pairing {
    const pairing = this.#known.get(id);
    if (pairing) return pairing;
    throw new PanewardError("not_found", `there is no pairing ${id}`, { hint: pairHint });
  }

  #endsIn(pairing: Pairing, ms: number, why: string): void {
    pairing.cancelEnd();
    pairing.cancelEnd = this.#clock.timer(ms, () => this.#end(pairing, why));
  }

  #end(pairing: Pairing, why: string): void {
    if (isOver(pairing.state)) return;
    pairing.cancelEnd();
    this.#change(pairing, { state: "over", why });
  }

  #change(pairing: Pairing, state: PairingState): void {
    pairing.state = state;
    for (const listener of [...pairing.listeners]) listener();
  }

  async #until(pairing: Pairing, isSo: () => boolean, ms: number, signal?: AbortSignal): Promise<void> {
    if (isSo() || isOver(pairing.state) || signal?.aborted) return;
    const news = Promise.withResolvers<void>();
    const look = () => {
      if (isSo()) news.resolve();
    };
    const stop = () => news.resolve();
    pairing.listeners.add(look);
    signal?.addEventListener("abort", stop);
    try {
      await within(this.#clock, news.promise, ms);
    } finally {
      pairing.listeners.delete(look);
      signal?.removeEventListener("abort", stop);
    }
  }
}
