/** An ordered queue, iterated asynchronously. After `end`, the remaining values are still delivered. */
export class Mailbox<Value> implements AsyncIterable<Value> {
  readonly #values: Value[] = [];
  #ended = false;
  #wake = Promise.withResolvers<void>();

  put(values: readonly Value[]): void {
    if (this.#ended || values.length === 0) return;
    this.#values.push(...values);
    this.#wake.resolve();
  }

  end(): void {
    this.#ended = true;
    this.#wake.resolve();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Value> {
    for (;;) {
      const value = this.#values.shift();
      if (value !== undefined) yield value;
      else if (this.#ended) return;
      else {
        await this.#wake.promise;
        this.#wake = Promise.withResolvers();
        if (this.#ended) this.#wake.resolve();
      }
    }
  }
}
