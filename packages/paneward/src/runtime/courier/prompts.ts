import { type Submitted, stillWaiting, submittedAs } from "../../model/courier/submitted.ts";
import type { WallClock } from "../ports.ts";

/** Prompts that agents' hooks tell of: each is the witness of one delivery, and of no other. */
export class Prompts {
  readonly #clock: WallClock;
  readonly #waiting = new Map<string, readonly Submitted[]>();
  readonly #told = new Set<string>();
  /** The prompts that were matched last, by what the agent calls them. */
  #matched: readonly string[] = [];
  readonly #listeners: ((terminal: string) => void)[] = [];

  constructor(clock: WallClock) {
    this.#clock = clock;
  }

  onTold(listener: (terminal: string) => void): void {
    this.#listeners.push(listener);
  }

  /** Enter is about to be pressed behind this text. */
  expect(terminal: string, delivery: string, text: string): void {
    const at = this.#clock.now();
    const before = this.#of(terminal).filter((one) => one.delivery !== delivery);
    this.#waiting.set(terminal, [...before, { delivery, text, at }]);
    for (const [id, waiting] of this.#waiting) this.#keep(id, stillWaiting(waiting, at));
  }

  /**
   * A hook tells that the agent was given this. The plugin and the command line may both have set hooks: a prompt that
   * comes twice under the same name (`called`) is one.
   */
  told(terminal: string, prompt: string, givenAt: number, called: string | undefined): void {
    const name = called === undefined ? undefined : `${terminal} ${called} ${prompt}`;
    if (name !== undefined && this.#matched.includes(name)) return;
    const known = submittedAs(this.#of(terminal), prompt, givenAt);
    if (!known) return;
    this.#keep(
      terminal,
      this.#of(terminal).filter((one) => one !== known),
    );
    this.#told.add(known.delivery);
    if (name !== undefined) this.#matched = [...this.#matched, name].slice(-maxMatched);
    for (const listener of this.#listeners) listener(terminal);
  }

  isTold(delivery: string): boolean {
    return this.#told.has(delivery);
  }

  /** Its receipt is written: whether a hook told of it is of no interest any more. */
  finished(delivery: string): void {
    this.#told.delete(delivery);
  }

  #keep(terminal: string, waiting: readonly Submitted[]): void {
    if (waiting.length === 0) this.#waiting.delete(terminal);
    else this.#waiting.set(terminal, waiting);
  }

  #of(terminal: string): readonly Submitted[] {
    return this.#waiting.get(terminal) ?? [];
  }
}

const maxMatched = 100;
