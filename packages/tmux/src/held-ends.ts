import type { TmuxEvent } from "./protocol/ledger.ts";
import type { PaneId } from "./protocol/names.ts";

type End = Extract<TmuxEvent, { readonly kind: "pane_died" }>;

/** Longer than `split` needs to start on a busy machine. */
const maxWaitMs = 300;
/** A wrapper that ends by itself has printed its mark: it comes, however busy the machine, unless nothing can be written. */
const maxWaitForMarkMs = 2_000;

/**
 * Exits that tmux reported before their exit mark was in the journal. They are held until the mark arrives, so that the
 * journal is complete when the event is emitted: at a load of 8, `split` started only after the hook in 1 of 5,000
 * exits, and at a load of 40 more than 300 ms later.
 */
export class HeldEnds {
  readonly #emit: (event: TmuxEvent) => void;
  readonly #held = new Map<PaneId, { readonly end: End; readonly timer: NodeJS.Timeout }>();

  constructor(emit: (event: TmuxEvent) => void) {
    this.#emit = emit;
  }

  /** `hasWrapper`: a mark is to come. A signal may have killed the wrapper itself, before it printed any. */
  hold(end: End, hasWrapper: boolean): void {
    this.release(end.pane);
    const ms = hasWrapper && end.exit.kind === "exited" ? maxWaitForMarkMs : maxWaitMs;
    this.#held.set(end.pane, { end, timer: setTimeout(() => this.release(end.pane), ms) });
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
