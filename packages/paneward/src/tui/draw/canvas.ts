import { cutTo, graphemesOf, shownLine, widthOf } from "@paneward/sdk/text";

/** One frame as lines of cells. A wide character occupies a cell and leaves the next one empty. */
export class Canvas {
  readonly columns: number;
  readonly rows: number;
  readonly texts: string[][];
  readonly styles: string[][];
  /** The text cursor, if one is shown. */
  cursor: { readonly x: number; readonly y: number } | undefined;

  constructor(columns: number, rows: number) {
    this.columns = columns;
    this.rows = rows;
    this.texts = Array.from({ length: rows }, () => new Array<string>(columns).fill(" "));
    this.styles = Array.from({ length: rows }, () => new Array<string>(columns).fill(""));
  }

  /** Writes up to column `end` and returns the column where it stopped. The rest is dropped. What has no width is shown. */
  put(x: number, y: number, text: string, style = "", end = this.columns): number {
    return this.putScreen(x, y, shownLine(text), style, end);
  }

  /**
   * The same for what a terminal has drawn, where each character has its column: what has no width takes none. Half of a
   * pair would be another text as bytes than in its cell.
   */
  putScreen(x: number, y: number, text: string, style = "", end = this.columns): number {
    const texts = this.texts[y];
    const styles = this.styles[y];
    if (!texts || !styles) return x;
    let at = x;
    for (const { text: one, width } of graphemesOf(text.toWellFormed())) {
      if (width === 0) continue;
      if (at + width > Math.min(end, this.columns)) break;
      texts[at] = isControl.test(one) ? " " : one;
      styles[at] = style;
      if (width === 2) {
        texts[at + 1] = "";
        styles[at + 1] = style;
      }
      at += width;
    }
    return at;
  }

  /** Like `put`, with an ellipsis where text is cut. */
  putCut(x: number, y: number, given: string, style: string, end: number): number {
    const text = shownLine(given);
    const room = Math.max(0, Math.min(end, this.columns) - x);
    return this.put(x, y, widthOf(text) > room ? cutTo(text, room) : text, style, end);
  }

  fill(x: number, y: number, end: number, style: string, text = " "): void {
    for (let at = x; at < Math.min(end, this.columns); at++) this.put(at, y, text, style);
  }
}

const isControl = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
