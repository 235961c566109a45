import { callEach } from "../../model/call-each.ts";
import { type Submitted, stillWaiting, submittedAs } from "../../model/courier/submitted.ts";
import { dateRoundingMs } from "../../model/timing.ts";
import type { Clock } from "../ports.ts";
import { steadyTime } from "../steady-time.ts";

/** Prompts that agents' hooks report: each is the witness of one delivery, and of no other. */
export class Prompts {
  readonly #clock: Pick<Clock, "now" | "monotonic">;
  readonly #waiting = new Map<string, readonly Submitted[]>();
  /** Deliveries that a hook has reported. */
  readonly #matched = new Set<string>();
  /** The prompts that were matched last, by the agent's own names. */
  #names: readonly string[] = [];
  readonly #listeners: ((terminal: string) => void)[] = [];

  constructor(clock: Pick<Clock, "now" | "monotonic">) {
    this.#clock = clock;
  }

  onMatch(listener: (terminal: string) => void): void {
    this.#listeners.push(listener);
  }

  /** Enter is about to be pressed to submit this text. */
  expect(terminal: string, delivery: string, text: string): void {
    const at = this.#clock.monotonic();
    const before = this.#of(terminal).filter((one) => one.delivery !== delivery);
    this.#waiting.set(terminal, [...before, { delivery, text, at }]);
    for (const [id, waiting] of this.#waiting) this.#keep(id, stillWaiting(waiting, at));
  }

  /**
   * A hook reports that the agent was given this prompt at this date. The plugin and the command line may both have set
   * hooks: a prompt that comes twice under the same name (`called`) is one.
   */
  match(terminal: string, prompt: string, givenAt: number, called: string | undefined): void {
    const name = called === undefined ? undefined : `${terminal} ${called} ${prompt}`;
    if (name !== undefined && this.#names.includes(name)) return;
    const known = submittedAs(this.#of(terminal), prompt, steadyTime(this.#clock, givenAt) + dateRoundingMs);
    if (!known) return;
    this.#keep(
      terminal,
      this.#of(terminal).filter((one) => one !== known),
    );
    this.#matched.add(known.delivery);
    if (name !== undefined) this.#names = [...this.#names, name].slice(-maxNames);
    callEach(this.#listeners, terminal);
  }

  isMatched(delivery: string): boolean {
    return this.#matched.has(delivery);
  }

  /** Its receipt is written: whether a hook reported it no longer matters. */
  finished(delivery: string): void {
    this.#matched.delete(delivery);
  }

  #keep(terminal: string, waiting: readonly Submitted[]): void {
    if (waiting.length === 0) this.#waiting.delete(terminal);
    else this.#waiting.set(terminal, waiting);
  }

  #of(terminal: string): readonly Submitted[] {
    return this.#waiting.get(terminal) ?? [];
  }
}

const maxNames = 100;
