import { type Columns, columnRange, graphemesOf } from "../text/width.ts";
import type { ScreenCursor } from "./prompt.ts";

/** The end of a screen, as the rules see it. */
export interface View {
  /** The line to judge: the cursor's, or the last one with text. Joined if the terminal wrapped it. */
  readonly line: string;
  /** The lines above it, nearest last; blank ones included. */
  readonly above: readonly string[];
  /** The lines below it that have text. */
  readonly below: readonly string[];
  readonly cursorPlace: CursorPlace;
  /** At least one space, and nothing else, between the text and the cursor. */
  readonly spaced: boolean;
  /** The line up to the cursor, if the cursor is on the line. */
  readonly typed: string;
}

/**
 * Where the cursor is.
 * behind: on the line, right after its text. inside: on the line, with text to its right.
 * beneath: at the left edge of the empty row below, where a printed line leaves it.
 * away: anywhere else, or hidden there. unknown: not given.
 */
export type CursorPlace = "behind" | "inside" | "beneath" | "away" | "unknown";

/** The end of a screen; undefined if it has no text. With `joined`, rows as wide as the widest count as wrapped. */
export function viewOf(screen: readonly string[], cursor: ScreenCursor | undefined, joined: boolean): View | undefined {
  const rows = Math.min(screen.length, Math.max(lastWithText(screen), cursor?.row ?? 0) + 1);
  const first = Math.max(0, rows - reach);
  const lines = screen.slice(first, rows).map(clip);
  const last = lastWithText(lines);
  if (last < 0) return undefined;
  const row = cursor ? cursor.row - first : -1;
  const at = cursor && onText(lines, row, cursor.column, joined) ? row : last;
  const start = joined ? unwrapped(lines, at) : at;
  const line = lines.slice(start, at + 1).join("");
  const width = columnRange(lines[at] ?? "");
  const cursorPlace = cursorPlaceOf(cursor && { row, column: cursor.column }, at, last, width);
  const onLine = cursor !== undefined && (cursorPlace === "behind" || cursorPlace === "inside");
  return {
    line: line.trimEnd(),
    above: lines.slice(0, start),
    below: lines.slice(at + 1).filter((text) => text !== ""),
    cursorPlace,
    spaced: cursorPlace === "behind" && cursor !== undefined && (cursor.column > width.min || line !== line.trimEnd()),
    typed: onLine ? cut(line, line.length - (lines[at] ?? "").length, cursor.column) : line.trimEnd(),
  };
}

/** No terminal is wider, and no prompt reaches further up. */
const maxColumns = 1_000;
const reach = 60;

function lastWithText(lines: readonly string[]): number {
  return lines.findLastIndex((line) => /\S/.test(line.length > maxColumns ? line.slice(-maxColumns) : line));
}

/** A line longer than any terminal keeps its end; the mark in front prevents rules for line starts from matching. */
function clip(line: string): string {
  return line.length > maxColumns ? `…${line.slice(-maxColumns).trimEnd()}` : line.trimEnd();
}

function onText(lines: readonly string[], row: number, column: number, joined: boolean): boolean {
  const line = lines[row];
  if (line === undefined) return false;
  // A question that exactly fills its row leaves the cursor and its last space on the next one.
  return line !== "" || (joined && column > 0 && column <= 2 && unwrapped(lines, row) < row);
}

/** The first row of the line that ends at this row: rows as wide as the widest were wrapped. */
function unwrapped(lines: readonly string[], at: number): number {
  const width = Math.max(...lines.map((line) => line.length));
  let start = at;
  const full = (row: number) => width >= 30 && (lines[row]?.length ?? 0) >= width && !/[─━═]$/.test(lines[row] ?? "");
  // A row that starts like a sentence does not continue one.
  while (start > 0 && at - start < 3 && !/^[A-Z?[]/.test(lines[start] ?? "") && full(start - 1)) start -= 1;
  return start;
}

function cursorPlaceOf(cursor: ScreenCursor | undefined, at: number, last: number, width: Columns): CursorPlace {
  if (!cursor) return "unknown";
  if (cursor.row === at)
    return cursor.column >= width.min && cursor.column <= width.max + 3 ? "behind" : insideOr(cursor, width);
  return cursor.row === last + 1 && cursor.column === 0 ? "beneath" : "away";
}

function insideOr(cursor: ScreenCursor, width: Columns): CursorPlace {
  return cursor.column < width.min ? "inside" : "away";
}

function cut(line: string, before: number, column: number): string {
  let used = 0;
  let end = before;
  for (const { text, width } of graphemesOf(line.slice(before))) {
    used += width;
    if (used > column) break;
    end += text.length;
  }
  return line.slice(0, end).trimEnd();
}
