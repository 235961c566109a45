import { type Row, withoutSpacesAtEnd } from "./fold-row.ts";

/** Stands for a character that was printed before the fold began. No program can print it. */
export const unknown = "\u0000";

/**
 * Turns rows into text, saying only what the reader does not know yet. At the mark the reader knows all rows and stands
 * at the end of the last one, the pen. A row that came later is told; one that is still the same is not; the pen's row
 * goes on where it ended. A row that was changed is told again as a whole, on a line of its own, and behind such rows
 * the pen's row too, so that the reader always stands at the end of the last row.
 */
export class Delivery {
  readonly #out: (text: string) => void;
  readonly #pen: Row;
  #hasTaken = false;
  #hasTold = false;
  #passedPen = false;
  // The line that is being told: a row and those that it was wrapped into.
  #isTelling = false;
  #spaces = "";
  // Rows of the line that are still the same, in case that a later one of it is not.
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
    if (this.#isTelling || row.before === undefined) this.#tell(text);
    else if (row === this.#pen) this.#takePen(text, row.before);
    else if (isLast || withoutSpacesAtEnd(text) !== row.before) this.#takeChanged(text, isLast);
    else this.#same += text;
  }

  #takePen(text: string, before: string): void {
    const told = withoutSpacesAtEnd(this.#same + before);
    const line = this.#same + text;
    this.#passedPen = !this.#hasTold && line.startsWith(told);
    if (this.#passedPen) {
      this.#isTelling = true;
      this.#same = "";
      this.#write(line, told.length);
    } else this.#tell(text);
  }

  // A row that was erased and left empty is not worth a line.
  #takeChanged(text: string, isLast: boolean): void {
    if (isLast || withoutSpacesAtEnd(this.#same + text) !== "") this.#tell(text);
  }

  #tell(text: string): void {
    if (!this.#isTelling) this.#out(this.#hasTold || this.#passedPen || this.#pen.before !== "" ? "\n" : "");
    this.#isTelling = true;
    this.#hasTold = true;
    this.#write(this.#same + text, 0);
    this.#same = "";
  }

  // Spaces at the end of a row are told when something follows them.
  #write(text: string, from: number): void {
    const trimmed = withoutSpacesAtEnd(text);
    if (trimmed.length > from) {
      this.#out(this.#spaces + trimmed.slice(from).replaceAll(unknown, " "));
      this.#spaces = "";
    }
    this.#spaces += text.slice(Math.max(trimmed.length, from));
  }

  #beginLine(): void {
    this.#isTelling = false;
    this.#spaces = "";
    this.#same = "";
  }
}
