import type { PanePlace } from "../../model/records.ts";
import type { Clock, Terminals } from "../ports.ts";

/** Counts what panes print, and ends pauses when there is news of their pane. */
export class PaneNews {
  readonly #clock: Pick<Clock, "timer">;
  readonly #counts = new Map<string, number>();
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #stop: () => void;

  constructor(terminals: Pick<Terminals, "onNews">, clock: Pick<Clock, "timer">) {
    this.#clock = clock;
    this.#stop = terminals.onNews((news) => {
      if (!("place" in news)) return this.#wakeAll();
      const pane = keyOf(news.place);
      if (news.kind === "output" && this.#waiting.has(pane)) this.#counts.set(pane, this.outputs(news.place) + 1);
      this.wake(news.place);
    });
  }

  /** Counts the pane's output from now on, until the returned function is called. */
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

  /** Waits for news of the pane, or until the time is over. */
  async pause(place: PanePlace, ms: number): Promise<void> {
    const waiting = this.#waiting.get(keyOf(place));
    await new Promise<void>((resolve) => {
      const wake = () => {
        cancel();
        waiting?.delete(wake);
        resolve();
      };
      const cancel = this.#clock.timer(ms, wake);
      waiting?.add(wake);
    });
  }

  /** Ends the pauses of this pane, for news that did not come from tmux. */
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
