import type { Question } from "@paneward/sdk";

/** What a blocking hook hands to its agent instead of keys. */
export interface Decision {
  readonly behavior: "allow" | "deny";
  /** Words for the agent, with a refusal. */
  readonly message?: string;
  /** Answers to a question of the agent's, by the question's text. */
  readonly answers?: Readonly<Record<string, string>>;
}

/** Agents that wait in a hook for an answer. Whoever answers first wins: the dialog stands on the screen meanwhile. */
export class HookAnswers {
  readonly #waiting = new Map<string, (decision: Decision | undefined) => void>();

  /** Waits until somebody decides, the question is gone or the signal aborts; undefined means: nobody, by this way. */
  ask(question: Pick<Question, "id">, signal: AbortSignal): Promise<Decision | undefined> {
    this.#waiting.get(question.id)?.(undefined);
    if (signal.aborted) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const done = (decision: Decision | undefined) => {
        signal.removeEventListener("abort", aborted);
        if (this.#waiting.get(question.id) === done) this.#waiting.delete(question.id);
        resolve(decision);
      };
      const aborted = () => done(undefined);
      signal.addEventListener("abort", aborted);
      this.#waiting.set(question.id, done);
    });
  }

  /** Whether somebody waits for this question's answer in a hook. */
  waits(question: string): boolean {
    return this.#waiting.has(question);
  }

  /** Hands the decision over; false when nobody waits for it. */
  give(question: string, decision: Decision): boolean {
    const done = this.#waiting.get(question);
    done?.(decision);
    return done !== undefined;
  }

  /** The question is gone: whoever waits for its answer goes on without one. */
  gone(question: string): void {
    this.#waiting.get(question)?.(undefined);
  }
}
