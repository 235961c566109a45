import { Row } from "./fold-row.ts";

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** A screen: rows, a place to write at, a region that scrolls. It behaves as xterm does. */
export class Grid {
  readonly size: Size;
  readonly rows: Row[];
  row = 0;
  /** Equal to the number of columns after the last one was written: the next character begins a new row. */
  column = 0;
  top = 0;
  bottom: number;
  saved = { row: 0, column: 0 };
  /** Told of every row that scrolls out at the region's top. */
  readonly #leaves: (row: Row) => void;

  constructor(size: Size, leaves: (row: Row) => void) {
    this.size = size;
    this.#leaves = leaves;
    this.bottom = size.rows - 1;
    this.rows = Array.from({ length: size.rows }, () => new Row());
  }

  get current(): Row {
    return this.at(this.row);
  }

  at(row: number): Row {
    return this.rows[row] as Row;
  }

  /** The last row with something on it; -1 when there is none. */
  get lastUsed(): number {
    return this.rows.findLastIndex((row) => !row.isBlank);
  }

  moveTo(row: number, column: number): void {
    this.row = Math.min(Math.max(0, row), this.size.rows - 1);
    this.column = Math.min(Math.max(0, column), this.size.columns - 1);
  }

  up(count: number): void {
    this.moveTo(Math.max(this.row - count, this.row >= this.top ? this.top : 0), this.column);
  }

  down(count: number): void {
    const last = this.row <= this.bottom ? this.bottom : this.size.rows - 1;
    this.moveTo(Math.min(this.row + count, last), this.column);
  }

  lineFeed(): void {
    if (this.row === this.bottom) this.scrollUp();
    else if (this.row < this.size.rows - 1) this.row++;
    this.current.wrapped = false;
    this.column = Math.min(this.column, this.size.columns - 1);
  }

  reverseLineFeed(): void {
    if (this.row === this.top) this.insertRows(this.top, 1);
    else this.row = Math.max(0, this.row - 1);
    this.column = Math.min(this.column, this.size.columns - 1);
  }

  /** The text was too long for its row. */
  wrap(): void {
    this.column = 0;
    if (this.row === this.bottom) this.scrollUp();
    else this.row = Math.min(this.row + 1, this.size.rows - 1);
    this.current.wrapped = true;
  }

  scrollUp(): void {
    const [gone] = this.rows.splice(this.top, 1);
    this.rows.splice(this.bottom, 0, new Row());
    if (gone) this.#leaves(gone);
  }

  insertRows(at: number, count: number): void {
    for (let left = Math.min(count, this.bottom - at + 1); left > 0; left--) {
      this.rows.splice(this.bottom, 1);
      this.rows.splice(at, 0, new Row());
    }
  }

  removeRows(at: number, count: number): void {
    for (let left = Math.min(count, this.bottom - at + 1); left > 0; left--) {
      this.rows.splice(at, 1);
      this.rows.splice(this.bottom, 0, new Row());
    }
  }

  eraseInRow(from: number, to: number): void {
    this.current.erase(from, to);
    if (from === 0 && to >= this.size.columns) this.current.wrapped = false;
  }

  eraseRows(from: number, to: number): void {
    for (let row = from; row < to; row++) this.at(row).clear();
  }

  /** Hands out everything on the screen as if it scrolled away. */
  scrollAway(): void {
    const last = this.lastUsed;
    for (const row of this.rows.slice(0, last + 1)) this.#leaves(row);
    for (let row = 0; row <= last; row++) this.rows[row] = new Row();
  }
}
