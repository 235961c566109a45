import { PanewardError } from "@paneward/sdk";
import type { Place } from "./fold.ts";

/**
 * A place in a journal: which opening of its pipe, and how many bytes into it. Callers see it as a string; it is parsed
 * once where it comes in, and formatted once where it goes out.
 */
export interface JournalCursor {
  readonly epoch: string;
  readonly offset: number;
}

/** The cursor of a journal that is still empty. */
export const emptyJournal: JournalCursor = { epoch: "e0", offset: 0 };

export function isSameCursor(one: JournalCursor, other: JournalCursor): boolean {
  return one.epoch === other.epoch && one.offset === other.offset;
}

export function formatCursor({ epoch, offset }: JournalCursor): string {
  return `${epoch}:${offset}`;
}

/** Where the next read begins, and how far back it must start to know what the screen shows there. */
export interface ReadCursor extends JournalCursor {
  /** How many bytes before the offset to start, and the state of the terminal at that point. */
  readonly look?: { readonly back: number; readonly place: Place };
}

/**
 * `EPOCH:OFFSET`, and unless the look starts with the epoch, `-BACK.ROW.COLUMN[.TOP.BOTTOM][LETTERS]`. The letters:
 * a on the alternate screen, g line-drawing characters, o inside an OSC, s inside another string.
 */
export function formatReadCursor({ look, ...cursor }: ReadCursor): string {
  if (!look) return formatCursor(cursor);
  const { row, column, region = [], isAlternate, drawsLines, inside } = look.place;
  const letters = [isAlternate ? "a" : "", drawsLines ? "g" : "", inside.slice(0, 1)].join("");
  return `${formatCursor(cursor)}-${[look.back, row, column, ...region].join(".")}${letters}`;
}

/** The cursor of an earlier answer. Throws `bad_input` for anything else. */
export function readCursorFrom(text: string): ReadCursor {
  const cursor = parseReadCursor(text);
  if (cursor) return cursor;
  const shown = JSON.stringify(text.slice(0, 80));
  throw new PanewardError("bad_input", `${shown} is not a journal cursor; take one from a read`, {
    hint: "take the cursor from an earlier read",
  });
}

function parseReadCursor(text: string): ReadCursor | undefined {
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
