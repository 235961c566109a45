import type { HeldLease } from "./context.ts";

type Renew = (task: string, epoch: number, ttlMs: number) => Promise<HeldLease>;

interface Kept {
  readonly lease: HeldLease;
  readonly ttlMs: number;
  timer?: NodeJS.Timeout;
}

/** Renews the leases of this agent at half time, while it works. A turn that ended lets them run out. */
export class LeaseKeeper {
  readonly #renew: Renew;
  readonly #kept = new Map<string, Kept>();
  #works = false;

  constructor(renew: Renew) {
    this.#renew = renew;
  }

  held(task: string, lease: HeldLease): void {
    this.gone(task);
    const ttlMs = Math.max(1_000, Date.parse(lease.expiresAt) - Date.now());
    this.#kept.set(task, { lease, ttlMs });
    if (this.#works) this.#arm(task);
  }

  gone(task: string): void {
    clearTimeout(this.#kept.get(task)?.timer);
    this.#kept.delete(task);
  }

  works(): void {
    this.#works = true;
    for (const task of this.#kept.keys()) this.#arm(task);
  }

  rests(): void {
    this.#works = false;
    for (const { timer } of this.#kept.values()) clearTimeout(timer);
  }

  #arm(task: string): void {
    const kept = this.#kept.get(task);
    if (!kept) return;
    clearTimeout(kept.timer);
    const left = Date.parse(kept.lease.expiresAt) - Date.now();
    kept.timer = setTimeout(() => this.#renewOne(task, kept), Math.max(0, left - kept.ttlMs / 2)).unref();
  }

  async #renewOne(task: string, { lease, ttlMs }: Kept): Promise<void> {
    try {
      const renewed = await this.#renew(task, lease.epoch, ttlMs);
      if (this.#kept.get(task)?.lease.epoch === lease.epoch) this.held(task, renewed);
    } catch {
      // It ran out or was taken: the next write or completion is refused and says so.
      this.gone(task);
    }
  }
}
