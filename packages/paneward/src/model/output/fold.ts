import { ByteReader, type Inside } from "./fold-bytes.ts";
import { Delivery, unknown } from "./fold-delivery.ts";
import type { Grid, Size } from "./fold-grid.ts";
import type { Row } from "./fold-row.ts";
import { Screens } from "./fold-screens.ts";

/** The state of a terminal at some byte, apart from what is on its screen. */
export interface Place {
  readonly row: number;
  readonly column: number;
  /** The region that scrolls, if it is not the whole screen. */
  readonly region?: readonly [top: number, bottom: number];
  readonly isAlternate: boolean;
  readonly drawsLines: boolean;
  readonly inside: Inside;
}

/**
 * Folds terminal bytes into text: what a screen of this size shows in the end, and above it what scrolled away. So a
 * progress bar is its last state, and a full-screen program is its screen while it runs and nothing afterwards.
 *
 * Bytes before `mark` are only the past that later ones may redraw. From the mark on, text is written out: rows that
 * scroll away at once, those on the screen with `writeScreen`.
 */
export class Fold {
  readonly #size: Size;
  readonly #screens: Screens;
  readonly #bytes: ByteReader;
  #delivery: Delivery | undefined;
  #out: ((text: string) => void) | undefined;

  constructor(size: Size, place?: Place) {
    this.#size = size;
    this.#screens = new Screens(size, (row) => this.#delivery?.take(row));
    this.#bytes = new ByteReader(this.#screens);
    if (place) this.#begin(place);
  }

  /** How many of the last bytes wait for the rest of a character or a sequence. */
  get held(): number {
    return this.#bytes.held;
  }

  /** The first rows were drawn on an alternate screen that was entered earlier. */
  get beganInAlternate(): boolean {
    return this.#screens.leftUnentered;
  }

  write(bytes: Uint8Array): void {
    this.#bytes.write(bytes);
  }

  /** Nothing follows: an incomplete sequence stays incomplete. */
  end(): void {
    this.#bytes.end();
  }

  mark(out: (text: string) => void): void {
    const rows = this.#rows();
    for (const row of rows) row.before = row.trimmed;
    this.#out = out;
    this.#delivery = new Delivery(out, rows.at(-1) as Row);
  }

  /** Writes out what is on the screen. Once, at the end. */
  writeScreen(): void {
    const rows = this.#rows();
    rows.forEach((row, at) => {
      this.#delivery?.take(row, at === rows.length - 1);
    });
  }

  /** Bytes are missing here, or another terminal follows: the screen becomes text, and an empty one takes its place. */
  breakOff(): Fold {
    this.end();
    this.writeScreen();
    const next = new Fold(this.#size);
    if (this.#out) {
      const isInLine = this.#rows().at(-1)?.isBlank === false;
      next.mark(this.#out);
      if (isInLine) this.#out("\n");
    }
    return next;
  }

  /** The state in which another fold must start to continue at the held bytes; undefined where that is not known. */
  get place(): Place | undefined {
    const { grid, charset, alternate } = this.#screens;
    const inside = this.#bytes.resumesInside;
    if (inside === undefined) return undefined;
    const isWhole = grid.top === 0 && grid.bottom === this.#size.rows - 1;
    return {
      row: grid.row,
      column: grid.column,
      ...(isWhole ? {} : { region: [grid.top, grid.bottom] }),
      isAlternate: alternate !== undefined,
      drawsLines: charset.drawsLines,
      inside,
    };
  }

  // All rows that are text now, down to the one that is written in.
  #rows(): readonly Row[] {
    const { normal, alternate } = this.#screens;
    const shown = (grid: Grid, last: number) => grid.rows.slice(0, last + 1);
    return [
      ...shown(normal, Math.max(normal.row, normal.lastUsed)),
      ...(alternate ? shown(alternate, alternate.lastUsed) : []),
    ];
  }

  #begin({ row, column, region, isAlternate, drawsLines, inside }: Place): void {
    const { rows } = this.#size;
    if (isAlternate) {
      this.#screens.normal.moveTo(rows - 1, 0);
      this.#screens.enterAlternate();
    }
    const { grid } = this.#screens;
    grid.goTo({ row, column });
    grid.current.put(0, unknown.repeat(grid.column));
    [grid.top, grid.bottom] = region && region[0] < region[1] && region[1] < rows ? region : [0, rows - 1];
    this.#screens.charset.drawsLines = drawsLines;
    this.#bytes.inside = inside;
  }
}
