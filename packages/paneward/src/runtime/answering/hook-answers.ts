import type { Decision } from "../../agents/hook-decision.ts";

export type { Decision };

/** A hook in which an agent waits. */
export interface WaitingHook<Asked> {
  readonly terminal: string;
  /** What it asks, as the hook reported it. */
  readonly asked: Asked;
  /** The question that it waits for, once that is open. */
  question: string | undefined;
  end(decision: Decision | undefined): void;
}

/**
 * Agents that wait in a hook for an answer. The first answer wins: the dialog is on the screen meanwhile. Two hooks may
 * wait for one question, when hooks were installed in two ways, and each gets the answer.
 */
export class HookAnswers<Asked> {
  readonly #waiting = new Set<WaitingHook<Asked>>();
  #closed = false;

  /** Begins to wait; the promise is the decision, undefined when the answer does not come this way. */
  enter(
    terminal: string,
    asked: Asked,
    signal: AbortSignal,
  ): { readonly hook: WaitingHook<Asked>; readonly decided: Promise<Decision | undefined> } {
    const { promise, resolve } = Promise.withResolvers<Decision | undefined>();
    const hook: WaitingHook<Asked> = {
      terminal,
      asked,
      question: undefined,
      end: (decision) => {
        this.#waiting.delete(hook);
        signal.removeEventListener("abort", aborted);
        resolve(decision);
      },
    };
    const aborted = () => hook.end(undefined);
    this.#waiting.add(hook);
    signal.addEventListener("abort", aborted);
    if (signal.aborted || this.#closed) aborted();
    return { hook, decided: promise };
  }

  /** How many hooks wait now. */
  get size(): number {
    return this.#waiting.size;
  }

  in(terminal: string): readonly WaitingHook<Asked>[] {
    return [...this.#waiting].filter((hook) => hook.terminal === terminal);
  }

  /** Hands a decision to the hooks that wait for this question; false when none does, or none of them can take it. */
  give(question: string, decide: (asked: Asked) => Decision | undefined): boolean {
    let given = false;
    for (const hook of this.#of(question)) {
      const decision = decide(hook.asked);
      if (decision) hook.end(decision);
      given ||= decision !== undefined;
    }
    return given;
  }

  /** The question is gone: hooks that wait for its answer end without one. */
  gone(question: string): void {
    for (const hook of this.#of(question)) hook.end(undefined);
  }

  /** The daemon ends: no agent may wait for it. */
  close(): void {
    this.#closed = true;
    for (const hook of [...this.#waiting]) hook.end(undefined);
  }

  #of(question: string): readonly WaitingHook<Asked>[] {
    return [...this.#waiting].filter((hook) => hook.question === question);
  }
}
