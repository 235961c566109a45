import type { Decision } from "../../agents/hook-decision.ts";

export type { Decision };

/** A hook in which an agent waits for the answer to one request. */
interface WaitingHook<Asked> {
  readonly request: string;
  /** What it asks, as the hook reported it. */
  readonly asked: Asked;
  end(decision: Decision | undefined): void;
}

/**
 * Agents that wait in a hook for an answer. The first answer wins: the dialog is on the screen meanwhile. A decision goes to
 * one hook, so that one approval runs one command. Where two hooks report a request, because hooks were installed in two
 * ways, the other one ends without output.
 */
export class HookAnswers<Asked> {
  readonly #waiting = new Set<WaitingHook<Asked>>();
  #closed = false;

  /** Begins to wait; the promise is the decision, undefined when the answer does not come this way. */
  enter(request: string, asked: Asked, signal: AbortSignal): Promise<Decision | undefined> {
    const { promise, resolve } = Promise.withResolvers<Decision | undefined>();
    const hook: WaitingHook<Asked> = {
      request,
      asked,
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
    return promise;
  }

  /** How many hooks wait now. */
  get size(): number {
    return this.#waiting.size;
  }

  get closed(): boolean {
    return this.#closed;
  }

  isWaiting(request: string | undefined): boolean {
    return request !== undefined && this.#of(request).length > 0;
  }

  /** Hands a decision to a hook that waits for this request; undefined when none does, or none of them can take it. */
  give(request: string | undefined, decide: (asked: Asked) => Decision | undefined): Decision | undefined {
    if (request === undefined) return undefined;
    for (const hook of this.#of(request)) {
      const decision = decide(hook.asked);
      if (!decision) continue;
      hook.end(decision);
      this.gone(request);
      return decision;
    }
    return undefined;
  }

  /** The request is over: hooks that wait for its answer end without one. */
  gone(request: string): void {
    for (const hook of this.#of(request)) hook.end(undefined);
  }

  /** The daemon ends: no agent may wait for it. */
  close(): void {
    this.#closed = true;
    for (const hook of [...this.#waiting]) hook.end(undefined);
  }

  #of(request: string): readonly WaitingHook<Asked>[] {
    return [...this.#waiting].filter((hook) => hook.request === request);
  }
}
