import type { TmuxEvent } from "./protocol/ledger.ts";
import type { PaneId } from "./protocol/names.ts";

type End = Extract<TmuxEvent, { readonly kind: "pane_died" }>;

/** Longer than `split` needs to begin on a busy machine. Without a mark by then, the wrapper itself was killed. */
const patienceMs = 300;

/**
 * Ends that tmux told before their exit mark was in the journal. They wait for it, so that whoever hears of an end can
 * read all of the output: on a machine with a load of 8, `split` began only after the hook in 1 of 5,000 ends.
 */
export class HeldEnds {
  readonly #tell: (event: TmuxEvent) => void;
  readonly #held = new Map<PaneId, { readonly end: End; readonly timer: NodeJS.Timeout }>();

  constructor(tell: (event: TmuxEvent) => void) {
    this.#tell = tell;
  }

  hold(end: End): void {
    this.release(end.pane);
    this.#held.set(end.pane, { end, timer: setTimeout(() => this.release(end.pane), patienceMs) });
  }

  /** The mark is there, or nothing is waited for any more. */
  release(pane: PaneId): void {
    const held = this.#held.get(pane);
    if (!held) return;
    clearTimeout(held.timer);
    this.#held.delete(pane);
    this.#tell(held.end);
  }

  releaseAll(): void {
    for (const pane of [...this.#held.keys()]) this.release(pane);
  }
}
