import { randomUUID } from "node:crypto";
import { type Delivery, PanewardError, systemFailure } from "@paneward/sdk";
import type { DeliveryContent, DeliveryRecord } from "../../model/records.ts";
import type { Clock, Log, Store } from "../ports.ts";
import type { Running } from "../running.ts";

/** The records of deliveries, and the callers that wait for a change of them. */
export class Receipts {
  readonly #ports: { readonly store: Store; readonly clock: Clock; readonly log: Log };
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #secrets = new Map<string, DeliveryContent>();
  #lastNumber = 0;
  #closed = false;

  constructor(ports: { readonly store: Store; readonly clock: Clock; readonly log: Log }) {
    this.#ports = ports;
  }

  close(): void {
    this.#closed = true;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Records a new delivery. A secret stays in memory: neither its text nor its wish is stored. */
  begin({ id: terminal, place }: Running, what: Begun): DeliveryRecord {
    const { wish, text, secret = false, ...more } = what;
    const now = this.#ports.clock.now();
    this.#lastNumber = Math.max(this.#lastNumber + 1, now * 1_000);
    const record: DeliveryRecord = {
      ...{ id: `d_${randomUUID()}`, terminal, state: "queued", text: secret ? secretWords : text.slice(0, 500) },
      ...{ createdAt: now, updatedAt: now, number: this.#lastNumber, pid: place.pid, unfinished: true },
      ...more,
      ...(wish === undefined || secret ? {} : { wish }),
    };
    this.#ports.store.write((writer) => writer.putDelivery(record));
    if (wish && secret) this.#secrets.set(record.id, wish);
    return record;
  }

  /** What is to be typed; undefined when it was a secret of an earlier daemon, or an answer. */
  wishOf({ id, wish }: DeliveryRecord): DeliveryContent | undefined {
    return wish ?? this.#secrets.get(id);
  }

  moved(id: string, state: Delivery["state"], reason?: string, release?: string): void {
    this.#update(id, (record) => {
      const { reason: _before, release: _way, ...rest } = record;
      return {
        ...rest,
        state,
        ...(reason === undefined ? {} : { reason }),
        ...(release === undefined ? {} : { release }),
      };
    });
  }

  /** The way that it goes from now on, and what becomes of its text there. */
  goes(id: string, way: NonNullable<Delivery["way"]>, changed?: string): void {
    this.#update(id, ({ changed: _before, ...record }) => {
      return { ...record, way, ...(changed === undefined ? {} : { changed }) };
    });
  }

  /** The agent reported what it got: this is how it differs from what was sent. */
  changed(id: string, what: string | undefined): void {
    if (this.#ports.store.deliveryById(id)?.changed === what) return;
    this.#update(id, ({ changed: _expected, ...record }) => {
      return { ...record, ...(what === undefined ? {} : { changed: what }) };
    });
  }

  /** It turned out to be a secret: its text is removed from the record, and from the files. */
  hide(id: string): void {
    const { store, log } = this.#ports;
    const wasStored = store.deliveryById(id)?.wish !== undefined;
    this.#update(id, (record) => {
      const { wish, ...rest } = record;
      if (wish) this.#secrets.set(id, wish);
      return { ...withoutGiven(rest), text: secretWords };
    });
    if (!wasStored) return;
    try {
      store.erase();
    } catch (error) {
      // Without room on the disk it stays in the log of the database until that is written next.
      log.warn("a secret is still in the database's log", { delivery: id, reason: String(error) });
    }
  }

  finished(id: string, turn?: string): void {
    this.#update(id, ({ wish: _done, ...record }) => {
      return { ...withoutGiven(record, turn), unfinished: false };
    });
    this.#secrets.delete(id);
  }

  failed(id: string, thrown: unknown, state: Delivery["state"] = "failed"): void {
    const error = systemFailure(thrown) ?? thrown;
    const { code, ...more } = error instanceof PanewardError ? failedOf(error) : unforeseen;
    const reason = error instanceof Error ? error.message : String(error);
    if (code === "unexpected") this.#ports.log.error("a delivery failed unexpectedly", { delivery: id, reason });
    this.#update(id, ({ wish: _lost, release: _way, ...record }) => {
      return { ...withoutGiven(record), state, reason, code, ...more, unfinished: false };
    });
    this.#secrets.delete(id);
  }

  /** The record as soon as it is as wanted, or when so many milliseconds are over. Throws why it failed. */
  async when(id: string, isWanted: (record: DeliveryRecord) => boolean, ms?: number): Promise<DeliveryRecord> {
    const { clock, store } = this.#ports;
    const over = ms === undefined ? Number.POSITIVE_INFINITY : clock.monotonic() + ms;
    for (;;) {
      const record = store.deliveryById(id);
      if (!record) throw new PanewardError("wrong_state", "the terminal was removed before this could be typed");
      if (record.code !== undefined) throw failureOf(record);
      const left = over - clock.monotonic();
      if (isWanted(record)) return record;
      if (left <= 0) return record;
      await this.#change(id, left > 0 && Number.isFinite(left) ? left : undefined);
    }
  }

  #update(id: string, change: (record: DeliveryRecord) => DeliveryRecord): void {
    if (this.#closed) return;
    const { store, clock } = this.#ports;
    const record = store.deliveryById(id);
    // The terminal was removed, and its deliveries with it: wake the callers that wait for them.
    if (!record) {
      this.#wake(id);
      return;
    }
    const changed = { ...change(record), updatedAt: clock.now() };
    const isNews = changed.state !== record.state || changed.reason !== record.reason;
    store.keep((writer) => {
      writer.putDelivery(changed);
      const { terminal, state, reason } = changed;
      const news = { delivery: id, terminal, state, ...(reason === undefined ? {} : { reason }) };
      if (isNews) writer.append("delivery_updated", news);
    });
    this.#wake(id);
  }

  #wake(id: string): void {
    for (const wake of [...(this.#listeners.get(id) ?? [])]) wake();
  }

  #change(id: string, ms: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const listeners = this.#listeners.get(id) ?? new Set();
      this.#listeners.set(id, listeners);
      const wake = () => {
        cancel();
        listeners.delete(wake);
        if (listeners.size === 0) this.#listeners.delete(id);
        resolve();
      };
      const cancel = ms === undefined ? () => {} : this.#ports.clock.timer(ms, wake);
      listeners.add(wake);
    });
  }
}

function withoutGiven(record: DeliveryRecord, turn?: string): DeliveryRecord {
  if (!record.answer) return record;
  const { given: _given, ...answer } = record.answer;
  return { ...record, answer: { ...answer, ...(turn === undefined ? {} : { turn }) } };
}

interface Begun extends Pick<DeliveryRecord, "wish" | "question" | "key" | "answer" | "changed" | "scope"> {
  readonly text: string;
  readonly by: string;
  readonly secret?: boolean;
}

/** What a delivery waits for that nothing blocks. */
const textWaitsFor: Partial<Record<Delivery["state"], string>> = {
  queued: "an earlier delivery, or the agent's first screen, comes first",
  typed: "its input line does not show the text yet",
  submitted: "Enter was pressed, and nothing says yet that it was taken",
};

const keysWaitFor: typeof textWaitsFor = {
  ...textWaitsFor,
  submitted: "the keys were pressed, and nothing was printed yet",
};

const secretWords = "(a secret)";
const unforeseen = { code: "unexpected" } as const;

function failedOf({ code, hint, errorType }: PanewardError) {
  return { code, hint, ...(errorType === undefined ? {} : { errorType }) };
}

/** Whether a receipt says what became of it so far, even if no witness has seen it arrive. */
export function saysSomething(
  { state, reason, unfinished }: DeliveryRecord,
  wish: DeliveryContent | undefined,
): boolean {
  if (!unfinished) return true;
  if (state === "typed" && reason === undefined) return wish?.enter === false && wish.keys.length === 0;
  return state !== "queued" || reason !== undefined;
}

function failureOf({ code = "unexpected", reason, hint, errorType }: DeliveryRecord): PanewardError {
  return new PanewardError(code, reason ?? "it could not be delivered", {
    ...(hint === undefined ? {} : { hint }),
    ...(errorType === undefined ? {} : { errorType }),
  });
}

/** A delivery as others see it. */
export function receipt(record: DeliveryRecord): Delivery {
  const { key: _key, code: _code, errorType: _type, hint: _hint, wish: _wish, answer: _answer, ...rest } = record;
  const { number: _number, pid: _pid, scope: _scope, unfinished: _unfinished, ...delivery } = rest;
  const waitsFor = record.wish?.keys.length ? keysWaitFor : textWaitsFor;
  const reason = record.unfinished ? (delivery.reason ?? waitsFor[delivery.state]) : delivery.reason;
  return reason === undefined ? delivery : { ...delivery, reason };
}
