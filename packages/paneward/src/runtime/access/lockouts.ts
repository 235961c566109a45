import { PanewardError } from "@paneward/sdk";
import { afterWrong, isForgotten, lockedForMs, type Wrongs } from "../../model/lockout.ts";
import type { Clock, Log } from "../ports.ts";

export interface LockoutOptions {
  /** What was wrong, such as `code`. */
  readonly what: string;
  readonly hint: string;
}

/** Who was wrong how often, in memory: an address that guesses codes, a device that fails at its passkey. */
export class Lockouts {
  readonly #ports: { readonly clock: Pick<Clock, "monotonic">; readonly log: Pick<Log, "warn"> };
  readonly #options: LockoutOptions;
  readonly #wrongs = new Map<string, Wrongs>();

  constructor(
    ports: { readonly clock: Pick<Clock, "monotonic">; readonly log: Pick<Log, "warn"> },
    options: LockoutOptions,
  ) {
    this.#ports = ports;
    this.#options = options;
  }

  /** Throws while no try of theirs is looked at. */
  require(who: string): void {
    const ms = lockedForMs(this.#wrongs.get(who), this.#ports.clock.monotonic());
    if (ms === 0) return;
    const { what, hint } = this.#options;
    throw new PanewardError("rate_limited", `too many wrong ${what}s; the next is looked at in ${inWords(ms)}`, {
      hint,
    });
  }

  wrong(who: string): void {
    const now = this.#ports.clock.monotonic();
    const wrongs = afterWrong(this.#wrongs.get(who), now);
    this.#wrongs.delete(who);
    if (this.#wrongs.size >= maxKnown) this.#makeRoom(now);
    this.#wrongs.set(who, wrongs);
    const ms = lockedForMs(wrongs, now);
    if (ms > 0)
      this.#ports.log.warn(`locked out after too many wrong ${this.#options.what}s`, { who, ms, count: wrongs.count });
  }

  right(who: string): void {
    this.#wrongs.delete(who);
  }

  // Addresses come from outside.
  #makeRoom(now: number): void {
    for (const [who, wrongs] of this.#wrongs) if (isForgotten(wrongs, now)) this.#wrongs.delete(who);
    for (const [oldest] of this.#wrongs) if (this.#wrongs.size >= maxKnown) this.#wrongs.delete(oldest);
  }
}

const maxKnown = 10_000;

function inWords(ms: number): string {
  return ms < 90_000 ? `${Math.ceil(ms / 1_000)} s` : `${Math.ceil(ms / 60_000)} minutes`;
}
