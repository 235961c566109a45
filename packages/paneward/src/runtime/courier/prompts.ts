import { callEach } from "../../model/call-each.ts";
import type { Arrival } from "../../model/courier/delivery-plan.ts";
import { changeOf, isItsText, type Submitted, stillWaiting, submittedAs } from "../../model/courier/submitted.ts";
import { dateRoundingMs } from "../../model/timing.ts";
import type { Clock } from "../ports.ts";
import { steadyTime } from "../steady-time.ts";

/** How a prompt became known: the channel that reports each prompt once, and what to call it in a receipt. */
export interface PromptReport {
  readonly way: string;
  readonly as: "hook" | "record" | "event stream";
  /** The agent's own name of the prompt: two hooks of one prompt have the same. */
  readonly called?: string | undefined;
}

/** Prompts that agents report, in their own words: each is the witness of one delivery, and of no other. */
export class Prompts {
  readonly #clock: Pick<Clock, "now" | "monotonic">;
  readonly #waiting = new Map<string, readonly Submitted[]>();
  /** Deliveries that were reported, and by what. */
  readonly #matched = new Map<string, PromptReport["as"]>();
  /** The prompts that were matched last, by the agent's own names. */
  #names: readonly string[] = [];
  /** Other words that an agent was given while a delivery was awaited. */
  readonly #others = new Map<string, string>();
  readonly #onMatch: ((match: Match) => void)[] = [];
  readonly #onExpect: ((terminal: string) => void)[] = [];

  constructor(clock: Pick<Clock, "now" | "monotonic">) {
    this.#clock = clock;
  }

  onMatch(listener: (match: Match) => void): void {
    this.#onMatch.push(listener);
  }

  onExpect(listener: (terminal: string) => void): void {
    this.#onExpect.push(listener);
  }

  /** Enter is about to be pressed to submit this text, or was at `since`, by an earlier daemon. */
  expect(
    terminal: string,
    delivery: string,
    arrivals: readonly Arrival[],
    { since, behind = false }: { readonly since?: number | undefined; readonly behind?: boolean } = {},
  ): void {
    const now = this.#clock.monotonic();
    const at = since === undefined ? now : steadyTime(this.#clock, since);
    const before = this.#of(terminal).filter((one) => one.delivery !== delivery);
    this.#waiting.set(terminal, [...before, { delivery, arrivals, at, behind }]);
    for (const [id, waiting] of this.#waiting) this.#keep(id, stillWaiting(waiting, now));
    callEach(this.#onExpect, terminal);
  }

  /**
   * The agent reports that it was given this prompt at this date. The plugin and the command line may both have set
   * hooks: a prompt that comes twice under the same name (`called`) is one.
   */
  match(terminal: string, prompt: string, givenAt: number, { way, as, called }: PromptReport): void {
    const name = called === undefined ? undefined : `${terminal} ${way} ${called} ${prompt}`;
    if (name !== undefined && this.#names.includes(name)) return;
    const at = steadyTime(this.#clock, givenAt) + dateRoundingMs;
    const known = submittedAs(this.#of(terminal), prompt, at, way);
    if (!known) {
      this.#hearOther(terminal, prompt, at);
      return;
    }
    const reported = { ...known, ways: [...(known.ways ?? []), way] };
    this.#keep(
      terminal,
      this.#of(terminal).map((one) => (one === known ? reported : one)),
    );
    if (name !== undefined) this.#names = [...this.#names, name].slice(-maxNames);
    if (known.ways !== undefined) return;
    this.#matched.set(known.delivery, as);
    callEach(this.#onMatch, { terminal, delivery: known.delivery, as, changed: changeOf(known, prompt) });
  }

  /** By what it was reported, if it was. */
  matched(delivery: string): PromptReport["as"] | undefined {
    return this.#matched.get(delivery);
  }

  /** What the agent was given instead, as far as it is known. */
  otherWords(delivery: string): string | undefined {
    return this.#others.get(delivery);
  }

  /** For how long the newest text without a report has been awaited here; undefined when there is none. */
  awaitedMs(terminal: string): number | undefined {
    const newest = this.#of(terminal).findLast(({ ways }) => ways === undefined);
    return newest && this.#clock.monotonic() - newest.at;
  }

  /** Its receipt is written: by what it was reported no longer matters. */
  finished(delivery: string): void {
    this.#matched.delete(delivery);
    this.#others.delete(delivery);
  }

  #hearOther(terminal: string, prompt: string, at: number): void {
    for (const one of this.#of(terminal)) {
      if (one.ways === undefined && one.at <= at && !isItsText(one, prompt)) this.#others.set(one.delivery, prompt);
    }
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

interface Match {
  readonly terminal: string;
  readonly delivery: string;
  readonly as: PromptReport["as"];
  /** How the words differ from what was sent. */
  readonly changed: string | undefined;
}
