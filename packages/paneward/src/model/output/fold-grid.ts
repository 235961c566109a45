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
  /** Called with every row that scrolls out at the region's top. */
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

  save(): void {
    this.saved = { row: this.row, column: this.column };
  }

  restore(): void {
    this.moveTo(this.saved.row, this.saved.column);
  }

  /** To a place, even to the one behind the last column. */
  goTo({ row, column }: { readonly row: number; readonly column: number }): void {
    this.moveTo(row, column);
    this.column = Math.min(column, this.size.columns);
  }

  up(count: number): void {
    this.moveTo(Math.max(this.row - count, this.row >= this.top ? this.top : 0), this.column);
  }

  down(count: number): void {
    const last = this.row <= this.bottom ? this.bottom : this.size.rows - 1;
    this.moveTo(Math.min(this.row + count, last), this.column);
  }

  /** One row down, where a line of its own begins. */
  lineFeed(): void {
    const { row } = this;
    this.index();
    if (this.row !== row) this.current.wrapped = false;
  }

  index(): void {
    if (this.row === this.bottom) this.scrollUp();
    else if (this.row < this.size.rows - 1) this.row++;
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
    const gone = this.at(this.top);
    for (let row = this.top; row < this.bottom; row++) this.rows[row] = this.at(row + 1);
    this.rows[this.bottom] = new Row();
    this.#leaves(gone);
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

  eraseToEnd(): void {
    this.current.erase(this.column, this.size.columns);
    if (this.column === 0) this.current.wrapped = false;
  }

  eraseFromBegin(): void {
    this.current.erase(0, Math.min(this.column + 1, this.size.columns));
  }

  eraseRows(from: number, to: number): void {
    for (let row = from; row < to; row++) this.at(row).clear();
  }

  /** Hands out everything on the screen as if it scrolled away. */
  scrollAway(): void {
    for (const row of this.rows.slice(0, this.lastUsed + 1)) this.#leaves(row);
    this.rows.forEach((_, at) => {
      this.rows[at] = new Row();
    });
  }
}
