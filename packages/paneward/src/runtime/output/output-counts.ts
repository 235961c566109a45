import type { Store, Terminals, WallClock } from "../ports.ts";

export const minutes = 60;
const minuteMs = 60_000;

/** How often each terminal printed, minute by minute, since the daemon began: for a picture of who is busy. */
export class OutputCounts {
  readonly #clock: WallClock;
  readonly #listeners = new Set<(terminal: string) => void>();
  readonly #counts = new Map<string, { minute: number; readonly counts: number[] }>();

  constructor(rt: {
    readonly clock: WallClock;
    readonly store: Pick<Store, "terminals">;
    readonly terminals: Terminals;
  }) {
    this.#clock = rt.clock;
    rt.terminals.onNews((news) => {
      if (news.kind !== "output") return;
      const { pane, server } = news.place;
      const found = rt.store.terminals().find(({ place }) => place?.pane === pane && place.server === server);
      if (found) this.add(found.id);
    });
  }

  onOutput(listener: (terminal: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  add(terminal: string): void {
    const entry = this.#at(terminal, this.thisMinute());
    entry.counts[minutes - 1] = (entry.counts[minutes - 1] ?? 0) + 1;
    for (const listener of this.#listeners) listener(terminal);
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
