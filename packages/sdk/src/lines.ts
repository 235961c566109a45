/** Splits text that arrives in chunks of any size into lines. */
export class Lines {
  readonly #maxLength: number;
  #partial: string[] = [];
  #length = 0;

  /** A longer line is refused as soon as the limit is passed. */
  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** The length of the line that is not complete yet. */
  get unfinished(): number {
    return this.#length;
  }

  /** Returns the lines that are complete. Throws when one is too long; the reader is unusable after that. */
  take(text: string): readonly string[] {
    const pieces = text.split("\n");
    const rest = pieces.pop() ?? "";
    if (pieces.length > 0) {
      pieces[0] = this.#partial.join("") + pieces[0];
      this.#partial = [];
      this.#length = 0;
    }
    if (rest !== "") this.#partial.push(rest);
    this.#length += rest.length;
    if (this.#length > this.#maxLength || pieces.some(({ length }) => length > this.#maxLength)) {
      throw new RangeError(`a line is longer than ${this.#maxLength} characters`);
    }
    return pieces;
  }
}
