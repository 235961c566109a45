import type { Cancel, Clock } from "../ports.ts";

interface Wanted {
  /** When to look. */
  at: number;
  /** A look was asked for by then, whatever is printed meanwhile. */
  by: number;
  /** The shortest time since the last look. */
  gapMs: number;
  /** Undefined when no timer runs. */
  cancel: Cancel | undefined;
  /** When the timer ends. */
  due: number;
  /** The first thing printed since the last look. */
  unlookedSince: number | undefined;
  lookedAt: number;
  looking: boolean;
  /** A look came due during the last one. */
  again: boolean;
}

/** When to look at which screen. There are no looks while nothing is printed, and a hundred busy terminals stay cheap. */
export class Looks {
  readonly #clock: Clock;
  readonly #look: (id: string) => Promise<void>;
  readonly #wanted = new Map<string, Wanted>();
  readonly #queue: string[] = [];
  #running = 0;
  #level = maxAtOnce;
  #levelAt = 0;
  #cancelWait: Cancel | undefined;

  constructor(clock: Clock, look: (id: string) => Promise<void>) {
    this.#clock = clock;
    this.#look = look;
  }

  /** Something was printed: look when that has settled, or after `maxMs` when it never does. */
  printed(id: string, settleMs: number, maxMs: number): void {
    const wanted = this.#of(id);
    const now = this.#clock.monotonic();
    wanted.unlookedSince ??= now;
    wanted.at = Math.min(now + settleMs, wanted.unlookedSince + maxMs, wanted.by);
    if (settleMs < minBetweenMs) wanted.gapMs = Math.min(wanted.gapMs, minPromptGapMs);
    this.#arm(id, wanted);
  }

  /** Look after this time at the latest; `gapMs` after the last look, if that is sooner than usual. */
  within(id: string, ms: number, gapMs = minBetweenMs): void {
    const wanted = this.#of(id);
    const at = this.#clock.monotonic() + ms;
    wanted.by = Math.min(wanted.by, at);
    wanted.gapMs = Math.min(wanted.gapMs, gapMs);
    if (!wanted.cancel || wanted.at > at) wanted.at = at;
    this.#arm(id, wanted);
  }

  forget(id: string): void {
    this.#wanted.get(id)?.cancel?.();
    this.#wanted.delete(id);
  }

  stop(): void {
    for (const id of [...this.#wanted.keys()]) this.forget(id);
    this.#cancelWait?.();
    this.#queue.length = 0;
  }

  #of(id: string): Wanted {
    const known = this.#wanted.get(id);
    if (known) return known;
    const wanted: Wanted = {
      at: 0,
      by: Number.POSITIVE_INFINITY,
      gapMs: minBetweenMs,
      cancel: undefined,
      due: 0,
      unlookedSince: undefined,
      lookedAt: 0,
      looking: false,
      again: false,
    };
    this.#wanted.set(id, wanted);
    return wanted;
  }

  // One timer per terminal that printed lately; a later moment is only noted.
  #arm(id: string, wanted: Wanted): void {
    const from = Math.max(wanted.at, wanted.lookedAt + wanted.gapMs);
    if (wanted.cancel && wanted.due <= from) return;
    wanted.cancel?.();
    wanted.due = from;
    const left = Math.max(0, from - this.#clock.monotonic());
    wanted.cancel = this.#clock.timer(left, () => {
      wanted.cancel = undefined;
      if (this.#wanted.get(id) !== wanted) return;
      if (wanted.looking) wanted.again = true;
      else if (wanted.at > this.#clock.monotonic()) this.#arm(id, wanted);
      else this.#enqueue(id);
    });
  }

  #enqueue(id: string): void {
    if (!this.#queue.includes(id)) this.#queue.push(id);
    this.#work();
  }

  #work(): void {
    while (this.#running < maxTogether && this.#queue.length > 0) {
      if (!this.#take()) {
        this.#cancelWait ??= this.#clock.timer(1_000 / maxPerSecond, () => {
          this.#cancelWait = undefined;
          this.#work();
        });
        return;
      }
      const id = this.#queue.shift() ?? "";
      const wanted = this.#wanted.get(id);
      if (wanted) this.#lookAt(id, wanted);
    }
  }

  async #lookAt(id: string, wanted: Wanted): Promise<void> {
    this.#running += 1;
    wanted.looking = true;
    wanted.unlookedSince = undefined;
    wanted.by = Number.POSITIVE_INFINITY;
    wanted.gapMs = minBetweenMs;
    wanted.lookedAt = this.#clock.monotonic();
    try {
      await this.#look(id);
    } finally {
      wanted.looking = false;
      this.#running -= 1;
      if (wanted.again && this.#wanted.get(id) === wanted) {
        wanted.again = false;
        this.#arm(id, wanted);
      }
      this.#work();
    }
  }

  #take(): boolean {
    const now = this.#clock.monotonic();
    const grown = (Math.max(0, now - this.#levelAt) / 1_000) * maxPerSecond;
    this.#level = Math.min(maxAtOnce, this.#level + grown);
    this.#levelAt = now;
    if (this.#level < 1) return false;
    this.#level -= 1;
    return true;
  }
}

/** Of one terminal. */
const minBetweenMs = 80;
/** The same at a line that may be a prompt. */
const minPromptGapMs = 20;
/** Of all terminals together. */
const maxPerSecond = 100;
const maxAtOnce = 150;
const maxTogether = 4;
