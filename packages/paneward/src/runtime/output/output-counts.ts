import { callEach } from "../../model/call-each.ts";
import type { PanePlace } from "../../model/records.ts";
import type { Terminals, WallClock } from "../ports.ts";

export const minutes = 60;
const minuteMs = 60_000;

/** How often each terminal printed per minute since the daemon started, for a chart of activity. */
export class OutputCounts {
  readonly #clock: WallClock;
  readonly #listeners = new Set<(terminal: string) => void>();
  readonly #counts = new Map<string, { minute: number; readonly counts: number[] }>();

  constructor(deps: {
    readonly clock: WallClock;
    readonly terminals: Pick<Terminals, "onNews">;
    readonly terminalAt: (place: PanePlace) => string | undefined;
  }) {
    this.#clock = deps.clock;
    deps.terminals.onNews((news) => {
      const terminal = news.kind === "output" ? deps.terminalAt(news.place) : undefined;
      if (terminal !== undefined) this.add(terminal);
    });
  }

  onOutput(listener: (terminal: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  add(terminal: string): void {
    const entry = this.#at(terminal, this.thisMinute());
    entry.counts[minutes - 1] = (entry.counts[minutes - 1] ?? 0) + 1;
    callEach(this.#listeners, terminal);
  }

  of(terminal: string): readonly number[] {
    return this.#counts.has(terminal) ? [...this.#at(terminal, this.thisMinute()).counts] : [];
  }

  thisMinute(): number {
    return Math.floor(this.#clock.now() / minuteMs);
  }

  #at(terminal: string, minute: number) {
    const known = this.#counts.get(terminal) ?? { minute, counts: new Array<number>(minutes).fill(0) };
    const passed = Math.max(0, Math.min(minutes, minute - known.minute));
    known.counts.push(...new Array<number>(passed).fill(0));
    known.counts.splice(0, passed);
    known.minute = Math.max(known.minute, minute);
    this.#counts.set(terminal, known);
    return known;
  }
}
