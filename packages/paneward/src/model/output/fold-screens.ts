import { columnsOf } from "@paneward/sdk/text";
import type { Spoken } from "./fold-bytes.ts";
import { Charset } from "./fold-charset.ts";
import { Grid, type Size } from "./fold-grid.ts";
import type { Row } from "./fold-row.ts";
import { backspace, numbersOf, sequences, tab } from "./fold-sequences.ts";

/**
 * The screens of a terminal: the normal one, whose rows become text when they scroll away, and the alternate one of
 * full-screen programs. What is drawn on the alternate screen is text while it is on, as it looks at that moment; when
 * the program leaves it, it is gone, as it is for a person.
 */
export class Screens implements Spoken {
  readonly normal: Grid;
  alternate: Grid | undefined;
  /** The alternate screen was left without having been entered: the beginning lies before what was folded. */
  leftUnentered = false;
  readonly #size: Size;
  readonly #text: (row: Row) => void;
  // Everything on the normal screen was drawn since it was cleared: a frame, and clearing it again makes room for the next.
  #isFrame = false;
  // Rows that scrolled off the alternate screen since anything was drawn there.
  #scrolled: Row[] = [];
  #inserts = false;
  #wraps = true;
  readonly charset = new Charset();
  #last = "";
  // The last thing that happened was a jump to the first row and column: erasing from here on clears the screen.
  #isHome = false;

  constructor(size: Size, text: (row: Row) => void) {
    this.#size = size;
    this.#text = text;
    this.normal = new Grid(size, (row) => {
      this.#isFrame = false;
      text(row);
    });
  }

  get grid(): Grid {
    return this.alternate ?? this.normal;
  }

  enterAlternate(): void {
    if (this.alternate) return;
    this.normal.save();
    this.alternate = new Grid(this.#size, (gone) => this.#scrolledOff(gone));
    this.alternate.goTo(this.normal);
    this.#scrolled = [];
  }

  ascii(run: string): void {
    this.#print(this.charset.drawn(run));
  }

  characters(text: string): void {
    let run = "";
    for (const char of text) {
      const width = columnsOf(char.codePointAt(0) ?? 0);
      if (width === 1 && char.length === 1) {
        run += char;
        continue;
      }
      if (run !== "") this.#print(run);
      run = "";
      this.#character(char, width);
    }
    if (run !== "") this.#print(run);
  }

  control(code: number): void {
    const { grid } = this;
    this.#last = "";
    this.#isHome = false;
    if (code === 0x0d) grid.column = 0;
    else if (code === 0x0a || code === 0x0b || code === 0x0c) grid.lineFeed();
    else if (code === 0x08) backspace(grid);
    else if (code === 0x09) tab(grid);
    else if (code === 0x0e || code === 0x0f) this.charset.isShifted = code === 0x0e;
  }

  escape(intermediates: string, final: string): void {
    const { grid } = this;
    this.#last = "";
    if (intermediates !== "") this.charset.choose(intermediates, final);
    else if (final === "7") grid.save();
    else if (final === "8") grid.restore();
    else if (final === "D") grid.index();
    else if (final === "M") grid.reverseLineFeed();
    else if (final === "E") {
      grid.index();
      grid.column = 0;
    } else if (final === "c") this.#reset();
  }

  csi(parameters: string, intermediates: string, final: string): void {
    const last = this.#last;
    this.#last = "";
    if (intermediates !== "" || final === "m") return;
    const numbers = numbersOf(parameters.replace(/^[<-?]/, ""));
    const isPrivate = /^[<-?]/.test(parameters);
    if (final === "h" || final === "l") {
      for (const number of numbers) this.#mode(isPrivate, number, final === "h");
      return;
    }
    if (isPrivate && final !== "J" && final !== "K") return;
    this.#scrolled = [];
    const n = numbers[0] || 1;
    if (final === "J") this.#eraseDisplay(numbers[0] ?? 0);
    else if (final === "b" && last !== "") this.characters(last.repeat(Math.min(n, maxRepeat)));
    else sequences[final]?.(this.grid, n, numbers);
    this.#isHome = (final === "H" || final === "f") && this.grid.row === 0 && this.grid.column === 0;
  }

  #print(run: string): void {
    const { columns } = this.#size;
    this.#last = run.slice(-1);
    this.#isHome = false;
    for (let rest = run; rest !== ""; ) {
      if (this.grid.column >= columns && this.#wraps) this.grid.wrap();
      const { grid } = this;
      const column = Math.min(grid.column, columns - 1);
      const part = rest.slice(0, columns - column);
      if (this.#inserts) grid.current.insert(column, part.length, columns);
      grid.current.put(column, part);
      grid.column = column + part.length;
      rest = this.#wraps ? rest.slice(part.length) : rest.slice(Math.max(part.length, rest.length - 1));
    }
  }

  #character(char: string, width: number): void {
    const { columns } = this.#size;
    if (width === 0) {
      this.grid.current.join(this.grid.column, char);
      return;
    }
    this.#last = char;
    this.#isHome = false;
    if (this.grid.column + width > columns) {
      this.grid.current.erase(this.grid.column, columns);
      if (this.#wraps) this.grid.wrap();
      else this.grid.column = columns - width;
    }
    const { grid } = this;
    if (this.#inserts) grid.current.insert(grid.column, width, columns);
    grid.current.putCharacter(grid.column, char, width);
    grid.column += width;
  }

  #mode(isPrivate: boolean, mode: number, on: boolean): void {
    if (!isPrivate && mode === 4) this.#inserts = on;
    if (!isPrivate) return;
    if (mode === 7) this.#wraps = on;
    if (mode !== 47 && mode !== 1047 && mode !== 1049) return;
    if (on) this.enterAlternate();
    else this.#leaveAlternate(mode === 1049);
  }

  #leaveAlternate(restores: boolean): void {
    const { alternate, normal } = this;
    if (!alternate) this.leftUnentered = true;
    else if (restores) normal.restore();
    else normal.goTo(alternate);
    this.alternate = undefined;
  }

  // A killed program leaves the alternate screen on, and the next one knows nothing of it. More rows than the screen has,
  // without anything drawn between them: that is ordinary output.
  #scrolledOff(row: Row): void {
    this.#scrolled.push(row);
    const { alternate, normal } = this;
    if (!alternate || this.#scrolled.length <= Math.max(this.#size.rows, 24)) return;
    normal.scrollAway();
    for (const gone of this.#scrolled) this.#text(gone);
    normal.rows.splice(0, normal.rows.length, ...alternate.rows);
    normal.goTo(alternate);
    normal.top = alternate.top;
    normal.bottom = alternate.bottom;
    this.alternate = undefined;
  }

  // As in tmux, what a clear takes from the normal screen is kept as if it had scrolled away. A frame is not: a program
  // that clears and redraws again and again is shown by its last frame.
  #eraseDisplay(what: number): void {
    const { grid } = this;
    const { rows } = this.#size;
    if (what === 2 || (what === 0 && this.#isHome)) this.#clear();
    else if (what === 0) {
      grid.eraseToEnd();
      grid.eraseRows(grid.row + 1, rows);
    } else if (what === 1) {
      grid.eraseRows(0, grid.row);
      grid.eraseFromBegin();
      grid.current.wrapped = false;
    }
  }

  #clear(): void {
    if (this.alternate || this.#isFrame) this.grid.eraseRows(0, this.#size.rows);
    else this.normal.scrollAway();
    if (!this.alternate) this.#isFrame = true;
  }

  #reset(): void {
    this.alternate = undefined;
    this.#clear();
    this.normal.moveTo(0, 0);
    this.normal.top = 0;
    this.normal.bottom = this.#size.rows - 1;
    this.#inserts = false;
    this.#wraps = true;
    this.charset.drawsLines = false;
  }
}

const maxRepeat = 10_000;
