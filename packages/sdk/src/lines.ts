/** Cuts text that arrives in pieces of any size into lines. */
export class Lines {
  readonly #longest: number;
  #begun: string[] = [];
  #length = 0;

  /** A line that is longer than so many characters is refused as soon as that is known. */
  constructor(longest: number) {
    this.#longest = longest;
  }

  /** The lines that are whole now. Throws when one is too long; nothing can be read after that. */
  take(text: string): readonly string[] {
    const pieces = text.split("\n");
    const rest = pieces.pop() ?? "";
    if (pieces.length > 0) {
      pieces[0] = this.#begun.join("") + pieces[0];
      this.#begun = [];
      this.#length = 0;
    }
    if (rest !== "") this.#begun.push(rest);
    this.#length += rest.length;
    if (this.#length > this.#longest || pieces.some(({ length }) => length > this.#longest)) {
      throw new RangeError(`a line is longer than ${this.#longest} characters`);
    }
    return pieces;
  }
}
