import { type Attention, attentionFromOutput, idleAfterMs } from "../model/status.ts";
import type { Clock } from "./ports.ts";

interface Entry {
  readonly startedAt: number;
  lastOutputAt: number | undefined;
  idle: boolean;
  timer: NodeJS.Timeout | undefined;
}

/** Who prints and who is silent. One timer per terminal that printed lately, none for the rest. */
export class Activity {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();
  #onChange: (terminal: string) => void = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Called when a terminal has become idle or works again. */
  onChange(listener: (terminal: string) => void): void {
    this.#onChange = listener;
  }

  started(terminal: string, startedAt: number): void {
    this.forget(terminal);
    this.#entries.set(terminal, { startedAt, lastOutputAt: undefined, idle: false, timer: undefined });
    this.#arm(terminal, idleAfterMs);
  }

  output(terminal: string): void {
    const entry = this.#entries.get(terminal);
    if (!entry) return;
    entry.lastOutputAt = this.#clock.now();
    if (entry.timer === undefined) this.#arm(terminal, idleAfterMs);
    if (!entry.idle) return;
    entry.idle = false;
    this.#onChange(terminal);
  }

  forget(terminal: string): void {
    clearTimeout(this.#entries.get(terminal)?.timer);
    this.#entries.delete(terminal);
  }

  lastOutputAt(terminal: string): number | undefined {
    return this.#entries.get(terminal)?.lastOutputAt;
  }

  attention(terminal: string): Attention | undefined {
    const entry = this.#entries.get(terminal);
    return entry && attentionFromOutput(entry.lastOutputAt, entry.startedAt, this.#clock.now());
  }

  stop(): void {
    for (const terminal of [...this.#entries.keys()]) this.forget(terminal);
  }

  #arm(terminal: string, ms: number): void {
    const entry = this.#entries.get(terminal);
    if (entry) entry.timer = setTimeout(() => this.#silent(terminal, entry), ms).unref();
  }

  // Output since the timer was set moved the moment; look again then.
  #silent(terminal: string, entry: Entry): void {
    entry.timer = undefined;
    const left = (entry.lastOutputAt ?? entry.startedAt) + idleAfterMs - this.#clock.now();
    if (left > 0) {
      this.#arm(terminal, left);
      return;
    }
    entry.idle = true;
    this.#onChange(terminal);
  }
}
