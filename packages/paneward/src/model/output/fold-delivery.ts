import { type Row, withoutSpacesAtEnd } from "./fold-row.ts";

/** In place of a character that was printed before the fold began. No program can print it. */
export const unknown = "\u0000";

/**
 * Turns rows into text, leaving out what was written before. At the mark all rows have been written, up to the end of
 * the last one, the pen's row. Later rows are written; unchanged rows are not; the pen's row continues where it ended. A
 * changed row is written again in full, on a line of its own, and after such rows the pen's row too, so that the text
 * always ends with the last row.
 */
export class Delivery {
  readonly #out: (text: string) => void;
  readonly #pen: Row;
  #hasTaken = false;
  #hasWritten = false;
  #passedPen = false;
  // The line that is being written: a row and those that it was wrapped into.
  #isWriting = false;
  #spaces = "";
  // Unchanged rows of the line, in case a later row of it has changed.
  #same = "";

  constructor(out: (text: string) => void, pen: Row) {
    this.#out = out;
    this.#pen = pen;
  }

  /** The next row, from top to bottom. The last of all becomes the pen's. */
  take(row: Row, isLast = false): void {
    if (!row.wrapped || !this.#hasTaken) this.#beginLine();
    this.#hasTaken = true;
    const { text } = row;
    if (this.#isWriting || row.before === undefined) this.#writeRow(text);
    else if (row === this.#pen) this.#takePen(text, row.before);
    else if (isLast || withoutSpacesAtEnd(text) !== row.before) this.#takeChanged(text, isLast);
    else this.#same += text;
  }

  #takePen(text: string, before: string): void {
    const written = withoutSpacesAtEnd(this.#same + before);
    const line = this.#same + text;
    this.#passedPen = !this.#hasWritten && line.startsWith(written);
    if (this.#passedPen) {
      this.#isWriting = true;
      this.#same = "";
      this.#write(line, written.length);
    } else this.#writeRow(text);
  }

  // A row that was erased and left empty is not worth a line.
  #takeChanged(text: string, isLast: boolean): void {
    if (isLast || withoutSpacesAtEnd(this.#same + text) !== "") this.#writeRow(text);
  }

  #writeRow(text: string): void {
    if (!this.#isWriting) this.#out(this.#hasWritten || this.#passedPen || this.#pen.before !== "" ? "\n" : "");
    this.#isWriting = true;
    this.#hasWritten = true;
    this.#write(this.#same + text, 0);
    this.#same = "";
  }

  // Spaces at the end of a row are written when something follows them.
  #write(text: string, from: number): void {
    const trimmed = withoutSpacesAtEnd(text);
    if (trimmed.length > from) {
      this.#out(this.#spaces + trimmed.slice(from).replaceAll(unknown, " "));
      this.#spaces = "";
    }
    this.#spaces += text.slice(Math.max(trimmed.length, from));
  }

  #beginLine(): void {
    this.#isWriting = false;
    this.#spaces = "";
    this.#same = "";
  }
}
