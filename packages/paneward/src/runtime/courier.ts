import { randomUUID } from "node:crypto";
import { type Delivery, PanewardError, type Parsed } from "@paneward/sdk";
import type { DeliveryRecord, TerminalRecord } from "../model/records.ts";
import { resolveTerminal } from "./resolve.ts";
import type { Runtime } from "./runtime.ts";

/** Nothing types into a pane except the courier: one delivery at a time per terminal, each with a receipt. */
export class Courier {
  readonly #rt: Runtime;
  readonly #lines = new Map<string, Promise<unknown>>();

  constructor(rt: Runtime) {
    this.#rt = rt;
    for (const record of rt.store.unfinishedDeliveries()) this.#moved(record, "failed", interrupted);
  }

  async send(input: Parsed<"send">): Promise<Delivery> {
    if ((input.text ?? "") === "" && (input.keys ?? []).length === 0 && !input.enter) {
      throw new PanewardError("bad_input", "there is nothing to send: give a text or keys");
    }
    const terminal = resolveTerminal(this.#rt, input.id);
    const repeated =
      input.idempotency_key === undefined ? undefined : this.#rt.store.delivery(terminal.id, input.idempotency_key);
    if (repeated) return { ...receipt(repeated), repeated: true };
    requireRunning(terminal);
    const queued = this.#queue(terminal, input.idempotency_key);
    return this.#inLine(terminal.id, () => this.#deliver(queued, input));
  }

  /** Keys that somebody types in a live view: in line with everything else, but without a receipt. */
  keys(id: string, bytes: string): Promise<void> {
    const { id: terminal } = requireRunning(resolveTerminal(this.#rt, id));
    return this.#inLine(terminal, () => {
      const { host, place } = requireRunning(resolveTerminal(this.#rt, terminal));
      return this.#rt.terminals.typeRaw(host, place, bytes);
    });
  }

  #inLine<Result>(terminal: string, work: () => Promise<Result>): Promise<Result> {
    const done = (this.#lines.get(terminal) ?? Promise.resolve()).then(work);
    const line = done.catch(() => {});
    this.#lines.set(terminal, line);
    line.then(() => {
      if (this.#lines.get(terminal) === line) this.#lines.delete(terminal);
    });
    return done;
  }

  #queue(terminal: TerminalRecord, key: string | undefined): DeliveryRecord {
    const now = this.#rt.clock.now();
    const record: DeliveryRecord = {
      id: `d_${randomUUID()}`,
      terminal: terminal.id,
      state: "queued",
      createdAt: now,
      updatedAt: now,
      ...(key === undefined ? {} : { key }),
    };
    this.#rt.store.write((writer) => writer.putDelivery(record));
    return record;
  }

  async #deliver(queued: DeliveryRecord, input: Parsed<"send">): Promise<Delivery> {
    const { terminals, configFor } = this.#rt;
    try {
      const terminal = requireRunning(resolveTerminal(this.#rt, queued.terminal));
      const { text_enter_delay_ms: enterDelay, sequential_send_delay_ms: keyDelay } = (await configFor()).config
        .tmux_bridge;
      const keys = input.keys ?? [];
      const text = input.text ?? "";
      const echo = this.#whenOutput(terminal, input.ack);
      if (text !== "" || keys.length === 0) {
        await terminals.type(terminal.host, terminal.place, text, input.enter && keys.length === 0, enterDelay);
      }
      if (keys.length > 0) await terminals.press(terminal.host, terminal.place, keys, keyDelay);
      const submitted = input.enter || keys.length > 0;
      const arrived = this.#moved(queued, submitted ? "submitted" : "typed");
      return (await echo) ? this.#moved(arrived, "acknowledged") : arrived;
    } catch (error) {
      this.#moved(queued, "failed", (error as Error).message);
      throw error;
    }
  }

  #moved(record: DeliveryRecord, state: Delivery["state"], reason?: string): DeliveryRecord {
    const moved = { ...record, state, updatedAt: this.#rt.clock.now(), ...(reason === undefined ? {} : { reason }) };
    this.#rt.store.write((writer) => {
      writer.putDelivery(moved);
      const { id, terminal } = moved;
      writer.append("delivery_updated", { delivery: id, terminal, state, ...(reason === undefined ? {} : { reason }) });
    });
    return moved;
  }

  // The weakest witness that something arrived: the terminal printed something after it.
  #whenOutput(terminal: TerminalRecord, seconds: number): Promise<boolean> {
    if (seconds === 0) return Promise.resolve(false);
    return new Promise((resolve) => {
      const stop = this.#rt.terminals.onNews((news) => {
        if (news.kind === "output" && news.place.pane === terminal.place?.pane) done(true);
      });
      const timer = setTimeout(() => done(false), seconds * 1_000);
      const done = (arrived: boolean) => {
        clearTimeout(timer);
        stop();
        resolve(arrived);
      };
    });
  }
}

// It is never typed again by itself: twice is worse than not at all.
const interrupted = "the daemon ended before this was finished; it may have been typed";

type Running = TerminalRecord & { readonly place: NonNullable<TerminalRecord["place"]> };

function requireRunning(terminal: TerminalRecord): Running {
  if (terminal.phase === "running" && terminal.place) return terminal as Running;
  throw new PanewardError(
    "wrong_state",
    `the program in ${terminal.name} (${terminal.id}) does not run; nothing was typed`,
    {
      hint: `run it again with \`paneward restart ${terminal.id}\``,
    },
  );
}

function receipt({ key: _key, ...delivery }: DeliveryRecord): Delivery {
  return delivery;
}
