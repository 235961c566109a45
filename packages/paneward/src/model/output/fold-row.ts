/** One row of a screen. Columns that nothing was written to count as spaces; spaces at the end count as nothing. */
export class Row {
  /** It continues the row above: the screen was too narrow for the text. */
  wrapped = false;
  /** Its text when delivering began; undefined for a row that came later. */
  before: string | undefined;
  // One code unit per column as long as that is possible: most output only ever appends such text.
  #text = "";
  // Otherwise one entry per column, "" being the right half of a wide character.
  #cells: string[] | undefined;

  /** How many columns were written to. */
  get length(): number {
    return this.#cells?.length ?? this.#text.length;
  }

  get text(): string {
    return this.#cells?.join("") ?? this.#text;
  }

  get trimmed(): string {
    return withoutSpacesAtEnd(this.text);
  }

  get isBlank(): boolean {
    return this.length === 0 || this.trimmed === "";
  }

  /** Writes characters of one column and one code unit each. */
  put(column: number, run: string): void {
    if (this.#cells) {
      const cells = this.#opened(column, column + run.length);
      for (let at = 0; at < run.length; at++) cells[column + at] = run.charAt(at);
    } else if (column >= this.#text.length) this.#text = this.#text.padEnd(column) + run;
    else this.#text = this.#text.slice(0, column) + run + this.#text.slice(column + run.length);
  }

  /** Writes any character, one or two columns wide. */
  putCharacter(column: number, char: string, width: number): void {
    const cells = this.#opened(column, column + width);
    cells[column] = char;
    if (width === 2) cells[column + 1] = "";
  }

  /** Adds a mark to the character before a column. */
  join(column: number, mark: string): void {
    const cells = this.#opened(column, column);
    const at = cells[column - 1] === "" ? column - 2 : column - 1;
    if (at >= 0) cells[at] = `${cells[at] ?? " "}${mark}`;
  }

  erase(from: number, to: number): void {
    if (from >= this.length) return;
    if (!this.#cells) {
      const rest = this.#text.slice(to);
      this.#text = this.#text.slice(0, from) + (rest === "" ? "" : " ".repeat(to - from) + rest);
      return;
    }
    const cells = this.#opened(from, to);
    if (to >= cells.length) cells.length = from;
    else cells.fill(" ", from, to);
  }

  /** Moves the characters from a column on to the right; those that leave the row are gone. */
  insert(column: number, count: number, columns: number): void {
    if (column >= this.length) return;
    const cells = this.#opened(column, column);
    cells.splice(column, 0, ...Array<string>(count).fill(" "));
    if (cells.length <= columns) return;
    this.#split(cells, columns);
    cells.length = columns;
  }

  remove(column: number, count: number): void {
    if (column >= this.length) return;
    this.#opened(column, column + count).splice(column, count);
  }

  clear(): void {
    this.#text = "";
    this.#cells = undefined;
    this.wrapped = false;
  }

  // The cells, filled up to `from`. A wide character that is half inside the range leaves spaces.
  #opened(from: number, to: number): string[] {
    this.#cells ??= this.#text.split("");
    const cells = this.#cells;
    while (cells.length < from) cells.push(" ");
    this.#split(cells, from);
    this.#split(cells, to);
    return cells;
  }

  #split(cells: string[], column: number): void {
    if (column === 0 || cells[column] !== "") return;
    cells[column - 1] = " ";
    cells[column] = " ";
  }
}

export function withoutSpacesAtEnd(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 32) end--;
  return end === text.length ? text : text.slice(0, end);
}
