import type { Place } from "./fold.ts";

/** The cursor that lies some bytes before another. Cursors of a journal read `EPOCH:OFFSET`. */
export function backBy(cursor: string, bytes: number): string {
  if (bytes === 0) return cursor;
  const [epoch, offset] = cursor.split(":");
  return `${epoch}:${Number(offset) - bytes}`;
}

/** Where a read goes on, and from where it must look again to know what stands on the screen there. */
export interface ReadCursor {
  readonly epoch: string;
  readonly offset: number;
  /** How many bytes before the offset the look begins, and how the terminal stood there. */
  readonly look?: { readonly back: number; readonly place: Place };
}

/**
 * `EPOCH:OFFSET`, and if the look does not begin with the epoch, `-BACK.ROW.COLUMN[.TOP.BOTTOM][LETTERS]`. The letters:
 * a on the alternate screen, g line-drawing characters, o inside of an OSC, s inside of another string.
 */
export function formatReadCursor({ epoch, offset, look }: ReadCursor): string {
  if (!look) return `${epoch}:${offset}`;
  const { row, column, region = [], isAlternate, drawsLines, inside } = look.place;
  const letters = [isAlternate ? "a" : "", drawsLines ? "g" : "", inside.slice(0, 1)].join("");
  return `${epoch}:${offset}-${[look.back, row, column, ...region].join(".")}${letters}`;
}

export function parseReadCursor(text: string): ReadCursor | undefined {
  const [, epoch, offset, numbers, letters] = shape.exec(text) ?? [];
  if (epoch === undefined || offset === undefined) return undefined;
  const base = { epoch, offset: Number(offset) };
  if (numbers === undefined || letters === undefined) return base;
  const [back = 0, row = 0, column = 0, top, bottom] = numbers.split(".").map(Number);
  if (back > base.offset) return undefined;
  const place: Place = {
    row,
    column,
    ...(top === undefined || bottom === undefined ? {} : { region: [top, bottom] as const }),
    isAlternate: letters.includes("a"),
    drawsLines: letters.includes("g"),
    inside: letters.includes("o") ? "osc" : letters.includes("s") ? "string" : "",
  };
  return { ...base, look: { back, place } };
}

const shape = /^([a-z0-9]+):(\d{1,15})(?:-(\d{1,6}(?:\.\d{1,4}){2}(?:(?:\.\d{1,4}){2})?)([agos]{0,3}))?$/;
