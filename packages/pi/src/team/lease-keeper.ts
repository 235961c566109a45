import type { HeldLease } from "./context.ts";

type Renew = (task: string, epoch: number, ttlMs: number) => Promise<HeldLease>;

interface RenewedLease {
  readonly lease: HeldLease;
  readonly ttlMs: number;
  timer?: NodeJS.Timeout;
}

/** Renews the leases of this agent at half their time while it works. After a turn they may expire. */
export class LeaseKeeper {
  readonly #renew: Renew;
  readonly #leases = new Map<string, RenewedLease>();
  #works = false;

  constructor(renew: Renew) {
    this.#renew = renew;
  }

  held(task: string, lease: HeldLease): void {
    this.gone(task);
    const ttlMs = Math.max(1_000, Date.parse(lease.expiresAt) - Date.now());
    this.#leases.set(task, { lease, ttlMs });
    if (this.#works) this.#arm(task);
  }

  gone(task: string): void {
    clearTimeout(this.#leases.get(task)?.timer);
    this.#leases.delete(task);
  }

  works(): void {
    this.#works = true;
    for (const task of this.#leases.keys()) this.#arm(task);
  }

  rests(): void {
    this.#works = false;
    for (const { timer } of this.#leases.values()) clearTimeout(timer);
  }

  #arm(task: string): void {
    const held = this.#leases.get(task);
    if (!held) return;
    clearTimeout(held.timer);
    const left = Date.parse(held.lease.expiresAt) - Date.now();
    held.timer = setTimeout(() => this.#renewOne(task, held), Math.max(0, left - held.ttlMs / 2)).unref();
  }

  async #renewOne(task: string, { lease, ttlMs }: RenewedLease): Promise<void> {
    try {
      const renewed = await this.#renew(task, lease.epoch, ttlMs);
      if (this.#leases.get(task)?.lease.epoch === lease.epoch) this.held(task, renewed);
    } catch {
      // It expired or was taken: the next write or completion is refused with the reason.
      this.gone(task);
    }
  }
}
