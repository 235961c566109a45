/** Keeps the last lines of a text. */
export class LastLines {
  readonly #max: number;
  #lines: string[] = [];
  #open: string[] = [];
  /** How many lines there were in all. */
  count = 0;

  constructor(max: number) {
    this.#max = max;
  }

  write(text: string): void {
    let from = 0;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", from)) {
      this.#lines.push(this.#open.join("") + text.slice(from, at + 1));
      this.#open = [];
      this.count++;
      from = at + 1;
      if (this.#lines.length > 2 * this.#max + 1_000) this.#lines = this.#lines.slice(-this.#max);
    }
    if (from < text.length) this.#open.push(text.slice(from));
  }

  clear(): void {
    this.#lines = [];
    this.#open = [];
    this.count = 0;
  }

  finish(): readonly string[] {
    const open = this.#open.join("");
    return [...this.#lines, ...(open === "" ? [] : [open])].slice(-this.#max);
  }
}
