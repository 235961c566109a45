import { isBorder } from "./footer.ts";

/** The question above a list: the nearest line that reads like one, else the nearest with text. */
export function questionAbove(rows: readonly string[]): string {
  const near = rows
    .filter((row) => !isBorder(row))
    .slice(-4)
    .map(bare)
    .reverse();
  return near.find((row) => readsAsQuestion(row)) ?? near[0] ?? "";
}

/** Ends like a question, or has the mark that a library puts before its questions. */
export function readsAsQuestion(row: string): boolean {
  return /[?:]$|^[?◆] |\((use arrow|press|use )|use arrow-keys|use space|[?:] \([^()]{1,80}\)$/i.test(row);
}

function bare(row: string): string {
  return row.replace(/^[\s│┃║|]+|[\s│┃║|]+$/g, "");
}
