import type { TmuxEvent } from "./protocol/ledger.ts";
import type { PaneId } from "./protocol/names.ts";

type End = Extract<TmuxEvent, { readonly kind: "pane_died" }>;

/** Longer than `split` needs to start on a busy machine. No mark by then means that the wrapper itself was killed. */
const maxWaitMs = 300;

/**
 * Exits that tmux reported before their exit mark was in the journal. They are held until the mark arrives, so that the
 * journal is complete when the event is emitted: at a load of 8, `split` started only after the hook in 1 of 5,000
 * exits.
 */
export class HeldEnds {
  readonly #emit: (event: TmuxEvent) => void;
  readonly #held = new Map<PaneId, { readonly end: End; readonly timer: NodeJS.Timeout }>();

  constructor(emit: (event: TmuxEvent) => void) {
    this.#emit = emit;
  }

  hold(end: End): void {
    this.release(end.pane);
    this.#held.set(end.pane, { end, timer: setTimeout(() => this.release(end.pane), maxWaitMs) });
  }

  /** Emits a held exit: its mark has arrived, or waiting for it is over. */
  release(pane: PaneId): void {
    const held = this.#held.get(pane);
    if (!held) return;
    clearTimeout(held.timer);
    this.#held.delete(pane);
    this.#emit(held.end);
  }

  releaseAll(): void {
    for (const pane of [...this.#held.keys()]) this.release(pane);
  }
}
