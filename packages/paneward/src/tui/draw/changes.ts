import type { Canvas } from "./canvas.ts";

/**
 * The bytes that turn one frame into the next: only cells that differ, as one synchronized update where the terminal
 * supports it, so that nothing flickers.
 */
export function changesBetween(before: Canvas | undefined, after: Canvas): string {
  const old = before?.columns === after.columns && before.rows === after.rows ? before : undefined;
  let out = old ? "" : "\u001b[0m\u001b[2J";
  for (let y = 0; y < after.rows; y++) {
    for (const [from, to] of runsOf(old, after, y)) out += runText(after, y, from, to);
  }
  const cursor = cursorText(after);
  if (out === "" && cursor === cursorText(old)) return "";
  return `\u001b[?2026h\u001b[?25l${out}\u001b[0m${cursor}\u001b[?2026l`;
}

// Moving the cursor over a few equal cells costs more bytes than writing them.
const minSkippedCells = 6;

function runsOf(before: Canvas | undefined, after: Canvas, y: number): readonly (readonly [number, number])[] {
  const runs: [number, number][] = [];
  const texts = after.texts[y] ?? [];
  const styles = after.styles[y] ?? [];
  for (let x = 0; x < after.columns; x++) {
    if (before && before.texts[y]?.[x] === texts[x] && before.styles[y]?.[x] === styles[x]) continue;
    const from = texts[x] === "" && x > 0 ? x - 1 : x;
    const last = runs.at(-1);
    if (last && from - last[1] < minSkippedCells) last[1] = x + 1;
    else runs.push([from, x + 1]);
  }
  return runs;
}

/** Some terminals draw each part of a character by itself, over the cells beside it: those are written again. */
function maxDrawn(text: string): number {
  return hasCertainWidth.test(text) ? 1 : 2 * [...text].length;
}

// Terminals disagree about the width of some characters, so set the cursor position after each of those. A cell that
// one of them leaves out would keep what was there before.
function runText(canvas: Canvas, y: number, from: number, until: number): string {
  let to = until;
  let out = `\u001b[${y + 1};${from + 1}H`;
  let style: string | undefined;
  for (let x = from; x < to; x++) {
    const text = canvas.texts[y]?.[x] ?? " ";
    if (text === "") continue;
    to = Math.max(to, Math.min(canvas.columns, x + maxDrawn(text)));
    const wanted = canvas.styles[y]?.[x] ?? "";
    if (wanted !== style) out += `\u001b[0${wanted === "" ? "" : `;${wanted}`}m`;
    style = wanted;
    const width = canvas.texts[y]?.[x + 1] === "" ? 2 : 1;
    const blanks = isEverywhereWide.test(text) ? "" : `${" ".repeat(width)}\u001b[${y + 1};${x + 1}H`;
    out += hasCertainWidth.test(text) ? text : `${blanks}${text}\u001b[${y + 1};${x + width + 1}H`;
  }
  return out;
}

// Chinese, Japanese, Korean and full-width forms.
const isEverywhereWide = /^[\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]$/;
const hasCertainWidth = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u024f\u2500-\u259f]$/;

function cursorText(canvas: Canvas | undefined): string {
  return canvas?.cursor ? `\u001b[${canvas.cursor.y + 1};${canvas.cursor.x + 1}H\u001b[?25h` : "";
}
