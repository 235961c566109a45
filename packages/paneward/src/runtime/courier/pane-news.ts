import type { PanePlace } from "../../model/records.ts";
import type { Terminals } from "../ports.ts";

/** Counts what panes print, and wakes whoever waits for one. */
export class PaneNews {
  readonly #counts = new Map<string, number>();
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #stop: () => void;

  constructor(terminals: Pick<Terminals, "onNews">) {
    this.#stop = terminals.onNews((news) => {
      if (!("place" in news)) return this.#wakeAll();
      const pane = keyOf(news.place);
      if (news.kind === "output" && this.#waiting.has(pane)) this.#counts.set(pane, this.outputs(news.place) + 1);
      for (const wake of this.#waiting.get(pane) ?? []) wake();
    });
  }

  /** From now on its output is counted, until the returned function is called. */
  watch(place: PanePlace): () => void {
    const pane = keyOf(place);
    const waiting = this.#waiting.get(pane) ?? new Set();
    const mine = () => {};
    waiting.add(mine);
    this.#waiting.set(pane, waiting);
    return () => {
      waiting.delete(mine);
      if (waiting.size > 0) return;
      this.#waiting.delete(pane);
      this.#counts.delete(pane);
    };
  }

  outputs(place: PanePlace): number {
    return this.#counts.get(keyOf(place)) ?? 0;
  }

  /** Until there is news of it, or the time is over. */
  async pause(place: PanePlace, ms: number): Promise<void> {
    const waiting = this.#waiting.get(keyOf(place));
    await new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        waiting?.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      waiting?.add(wake);
    });
  }

  /** There is news of it by another way. */
  wake(place: PanePlace): void {
    for (const wake of [...(this.#waiting.get(keyOf(place)) ?? [])]) wake();
  }

  close(): void {
    this.#stop();
    this.#wakeAll();
  }

  #wakeAll(): void {
    for (const waiting of this.#waiting.values()) for (const wake of [...waiting]) wake();
  }
}

function keyOf({ server, pane }: PanePlace): string {
  return `${server} ${pane}`;
}
