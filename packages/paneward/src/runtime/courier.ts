import { randomUUID } from "node:crypto";
import { allows, type Delivery, PanewardError, type Parsed } from "@paneward/sdk";
import { isGuarded } from "../model/courier.ts";
import type { DeliveryRecord, TerminalRecord, Wish } from "../model/records.ts";
import { takingTurns } from "../model/turns.ts";
import { agentIn } from "./agent-kind.ts";
import { carry, sightIn } from "./carry.ts";
import { PaneNews } from "./pane-news.ts";
import { resolveTerminal } from "./resolve.ts";
import type { Caller, Runtime } from "./runtime.ts";

/** Nothing types into a pane except the courier: one delivery at a time per terminal, each with a receipt. */
export class Courier {
  readonly #rt: Runtime;
  readonly #lines = new Map<string, Promise<unknown>>();
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #live = takingTurns();
  readonly #news: PaneNews;
  #lastNumber = 0;
  #closed = false;

  constructor(rt: Runtime) {
    this.#rt = rt;
    this.#news = new PaneNews(rt.terminals);
  }

  /** Goes on with what an earlier daemon left: the mark in the pane says how far it came. */
  resume(): void {
    for (const record of this.#rt.store.unfinishedDeliveries()) this.#enqueue(record, true, 0);
    // Whether keys of an answer were pressed is not known; if the question still stands, it can be answered again.
    for (const { id, state } of this.#rt.questions.open()) if (state === "answering") this.#rt.questions.release(id);
  }

  close(): void {
    this.#closed = true;
    this.#news.close();
  }

  async send(input: Parsed<"send">, caller: Caller): Promise<Delivery> {
    const { text = "", enter, keys = [], force } = input;
    if (text === "" && keys.length === 0 && !enter) {
      throw new PanewardError("bad_input", "there is nothing to send: give a text or keys");
    }
    const terminal = resolveTerminal(this.#rt, input.id);
    const repeated =
      input.idempotency_key === undefined ? undefined : this.#rt.store.delivery(terminal.id, input.idempotency_key);
    if (repeated) return { ...receipt(repeated), repeated: true };
    if (keys.length > 0) await this.#requireApproval(terminal, caller);
    const record = this.accept(terminal, { text, enter: enter && keys.length === 0, keys, force }, caller.who, input);
    return this.settled(record.id, input.ack);
  }

  /**
   * Keys that somebody types in a live view, without a receipt. They wait for one another and not for deliveries: one
   * may be held just because this person is typing.
   */
  keys(id: string, bytes: string): Promise<void> {
    const { id: terminal } = requireRunning(resolveTerminal(this.#rt, id));
    return this.#live(terminal, () => {
      const { host, place } = requireRunning(this.#rt.store.terminal(terminal));
      return this.#rt.terminals.typeRaw(host, place, bytes);
    });
  }

  /** Takes a delivery on and puts it in the terminal's line. */
  accept(
    terminal: TerminalRecord,
    wish: Wish,
    by: string,
    { idempotency_key: key, ack = 0 }: { readonly idempotency_key?: string | undefined; readonly ack?: number } = {},
  ): DeliveryRecord {
    const text = wish.text === "" ? wish.keys.join(" ") : wish.text;
    const record = this.#written(terminal, text, by, { wish, ...(key === undefined ? {} : { key }) });
    this.#enqueue(record, false, ack * 1_000);
    return record;
  }

  /** The receipt of an answer: typed beside the line, because whatever stands in the line waits for the question. */
  answering(terminal: TerminalRecord, question: string, words: string, by: string, key?: string): DeliveryRecord {
    return this.#written(terminal, words, by, { question, ...(key === undefined ? {} : { key }) });
  }

  tellAnswer(id: string, state: Delivery["state"], reason?: string): void {
    this.#moved(id, state, reason);
    if (state === "acknowledged" || state === "failed") this.#finished(id);
  }

  /** Resolves when something keeps an answer from being typed; never, when it is typed. */
  async whenHeld(id: string): Promise<void> {
    for (;;) {
      const record = this.#rt.store.deliveryById(id);
      if (record?.state === "held") return;
      await this.#change(id, undefined);
    }
  }

  #written(
    terminal: TerminalRecord,
    text: string,
    by: string,
    more: Pick<DeliveryRecord, "wish" | "question" | "key">,
  ): DeliveryRecord {
    const { place } = requireRunning(terminal);
    const now = this.#rt.clock.now();
    this.#lastNumber = Math.max(this.#lastNumber + 1, now * 1_000);
    const record: DeliveryRecord = {
      id: `d_${randomUUID()}`,
      terminal: terminal.id,
      state: "queued",
      text: text.slice(0, 500),
      by,
      createdAt: now,
      updatedAt: now,
      number: this.#lastNumber,
      pid: place.pid,
      unfinished: true,
      ...more,
    };
    this.#rt.store.write((writer) => writer.putDelivery(record));
    return record;
  }

  /** The receipt once it is submitted, held or failed; with `ack`, once a witness saw it or the seconds are over. */
  async settled(id: string, ack: number): Promise<Delivery> {
    const over = performance.now() + ack * 1_000;
    for (;;) {
      const record = this.#rt.store.deliveryById(id);
      if (!record) throw new PanewardError("wrong_state", "the terminal was removed before this could be typed");
      const left = over - performance.now();
      if (record.code !== undefined) throw new PanewardError(record.code, record.reason ?? "it could not be delivered");
      if (!record.unfinished || (isAnswer(record) && left <= 0)) return receipt(record);
      await this.#change(id, isAnswer(record) ? left : undefined);
    }
  }

  #enqueue(record: DeliveryRecord, resumed: boolean, ackMs: number): void {
    // Keys may be what takes the obstacle away: they do not wait behind what it holds.
    if (record.wish?.text === "" && record.wish.keys.length > 0 && this.#isHeld(record.terminal)) {
      this.#carry(record, resumed, ackMs);
      return;
    }
    const before = this.#lines.get(record.terminal) ?? Promise.resolve();
    const line = before.then(() => this.#carry(record, resumed, ackMs));
    this.#lines.set(record.terminal, line);
    line.then(() => {
      if (this.#lines.get(record.terminal) === line) this.#lines.delete(record.terminal);
    });
  }

  #isHeld(terminal: string): boolean {
    const waiting = this.#rt.store.unfinishedDeliveries().filter((one) => one.terminal === terminal);
    return waiting.some(({ state, reason }) => state === "held" || (state === "typed" && reason !== undefined));
  }

  async #carry(record: DeliveryRecord, resumed: boolean, ackMs: number): Promise<void> {
    if (this.#closed) return;
    const { terminals, store } = this.#rt;
    let left = () => {};
    try {
      const terminal = requireRunning(store.terminal(record.terminal), record.pid);
      const { wish } = record;
      if (!wish) throw new PanewardError("wrong_state", "the daemon ended while this was being answered");
      left = this.#news.watch(terminal.place);
      const agent = agentIn(this.#rt.store, terminal);
      const { host, place } = terminal;
      const profile = await this.#profile(agent?.submit);
      await carry({
        ...{ id: record.id, terminals, host, place, agent, profile, wish, resumed },
        witnessMs: Math.max(witnessMs, ackMs),
        blindMs: Math.max(blindMs, ackMs),
        tell: (state, reason) => this.#moved(record.id, state, reason),
        check: () => {
          if (this.#closed) throw closed;
          requireRunning(store.terminal(record.terminal), record.pid);
        },
        pause: (ms) => this.#news.pause(place, ms),
        outputs: () => this.#news.outputs(place),
      });
      this.#finished(record.id);
    } catch (error) {
      if (error !== closed) this.#failed(record.id, error);
    } finally {
      left();
    }
  }

  // An agent's own pauses are the least; the configuration may ask for more.
  async #profile(submit = plain) {
    const { text_enter_delay_ms: enter, sequential_send_delay_ms: key } = (await this.#rt.configFor()).config
      .tmux_bridge;
    return {
      ...submit,
      textEnterDelayMs: Math.max(submit.textEnterDelayMs, enter),
      keyDelayMs: Math.max(submit.keyDelayMs, key),
    };
  }

  // Keys are a person's own wish and are pressed whatever stands there; into an agent's dialog they are an answer.
  async #requireApproval(terminal: TerminalRecord, caller: Caller): Promise<void> {
    if (allows(caller.scope, "approve")) return;
    const { host, place } = requireRunning(terminal);
    const sight = await sightIn(this.#rt.terminals, host, place, agentIn(this.#rt.store, terminal));
    if (!isGuarded(sight)) return;
    throw new PanewardError(
      "not_allowed",
      "it asks something, and keys would answer it: that needs the scope approve",
      {
        hint: "use a token that may answer: `paneward token create --scope approve`",
      },
    );
  }

  #moved(id: string, state: Delivery["state"], reason?: string): void {
    this.#update(id, (record) => {
      const { reason: _before, ...rest } = record;
      return { ...rest, state, ...(reason === undefined ? {} : { reason }) };
    });
  }

  #finished(id: string): void {
    this.#update(id, ({ wish: _done, ...record }) => ({ ...record, unfinished: false }));
  }

  #failed(id: string, error: unknown): void {
    const code = error instanceof PanewardError ? error.code : "unexpected";
    const reason = error instanceof Error ? error.message : String(error);
    if (code === "unexpected") this.#rt.log.error("a delivery failed unexpectedly", { delivery: id, reason });
    this.#update(id, ({ wish: _lost, ...record }) => ({ ...record, state: "failed", reason, code, unfinished: false }));
  }

  #update(id: string, change: (record: DeliveryRecord) => DeliveryRecord): void {
    if (this.#closed) return;
    const record = this.#rt.store.deliveryById(id);
    // The terminal was removed, and its deliveries with it.
    if (!record) return;
    const changed = { ...change(record), updatedAt: this.#rt.clock.now() };
    const isNews = changed.state !== record.state || changed.reason !== record.reason;
    this.#rt.store.write((writer) => {
      writer.putDelivery(changed);
      const { terminal, state, reason } = changed;
      const told = { delivery: id, terminal, state, ...(reason === undefined ? {} : { reason }) };
      if (isNews) writer.append("delivery_updated", told);
    });
    for (const wake of [...(this.#listeners.get(id) ?? [])]) wake();
  }

  #change(id: string, ms: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const listeners = this.#listeners.get(id) ?? new Set();
      this.#listeners.set(id, listeners);
      const wake = () => {
        clearTimeout(timer);
        listeners.delete(wake);
        if (listeners.size === 0) this.#listeners.delete(id);
        resolve();
      };
      const timer = ms === undefined ? undefined : setTimeout(wake, ms);
      listeners.add(wake);
    });
  }
}

/** The daemon stops: what is under way is finished by the next one. */
const closed = new Error("the courier was closed");

/** So long somebody looks for a witness; then the next delivery has its turn. */
const witnessMs = 30_000;
const blindMs = 1_000;
const plain = { textEnterDelayMs: 0, keyDelayMs: 0, dialogGraceMs: 0, paste: true };

type Running = TerminalRecord & { readonly place: NonNullable<TerminalRecord["place"]> };

/** The terminal if its program runs, and is still the one that is meant. */
function requireRunning(terminal: TerminalRecord | undefined, pid?: number): Running {
  if (terminal?.phase === "running" && terminal.place && (pid === undefined || terminal.place.pid === pid)) {
    return terminal as Running;
  }
  const name = terminal ? `${terminal.name} (${terminal.id})` : "that terminal";
  throw new PanewardError("wrong_state", `the program in ${name} does not run any more; nothing more was typed`, {
    ...(terminal ? { hint: `run it again with \`paneward restart ${terminal.id}\`` } : {}),
  });
}

function isAnswer({ state, wish }: DeliveryRecord): boolean {
  if (state === "typed") return wish?.enter === false && wish.keys.length === 0;
  return state === "held" || state === "submitted" || state === "acknowledged" || state === "failed";
}

/** A delivery as others see it. */
export function receipt({
  key: _key,
  code: _code,
  wish: _wish,
  number: _number,
  pid: _pid,
  unfinished: _unfinished,
  ...delivery
}: DeliveryRecord): Delivery {
  return delivery;
}
