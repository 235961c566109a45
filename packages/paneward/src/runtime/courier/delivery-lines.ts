/** One delivery in the line of its terminal. */
export interface InLine {
  /** It consists of keys only, which may be what releases a held delivery. */
  readonly isKeys: boolean;
  deliver(waited: boolean): Promise<void>;
}

/**
 * One delivery at a time per terminal, in their order. Keys alone do not wait behind a delivery that is held, whether they
 * came after it was held or before.
 */
export class DeliveryLines {
  readonly #waiting = new Map<string, InLine[]>();

  /** `isHeld`: the delivery in front is held. */
  add(terminal: string, one: InLine, isHeld: boolean): void {
    const waiting = this.#waiting.get(terminal);
    if (one.isKeys && isHeld) void one.deliver(false);
    else if (waiting) waiting.push(one);
    else void this.#work(terminal, one);
  }

  /** The delivery in front is held: the keys behind it are pressed in their order. */
  async letKeysPass(terminal: string): Promise<void> {
    const waiting = this.#waiting.get(terminal) ?? [];
    const keys = waiting.filter(({ isKeys }) => isKeys);
    waiting.splice(0, waiting.length, ...waiting.filter(({ isKeys }) => !isKeys));
    for (const one of keys) await one.deliver(true);
  }

  async #work(terminal: string, first: InLine): Promise<void> {
    const waiting: InLine[] = [];
    this.#waiting.set(terminal, waiting);
    await first.deliver(false);
    for (let next = waiting.shift(); next; next = waiting.shift()) await next.deliver(true);
    this.#waiting.delete(terminal);
  }
}
