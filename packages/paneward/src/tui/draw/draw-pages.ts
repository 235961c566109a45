import { textOf } from "../state/line-editor.ts";
import { pageRows } from "../state/pages-keys.ts";
import type { Pages, State } from "../state/state.ts";
import type { Canvas } from "./canvas.ts";
import { drawMessage } from "./draw-bars.ts";
import { block, look } from "./style.ts";

/** A long text, with search matches highlighted. */
export function drawPages(canvas: Canvas, state: State, { of, title, lines, top, search }: Pages): void {
  const rows = pageRows(state);
  const shown = lines.slice(top, top + rows);
  canvas.fill(0, 0, canvas.columns, look.title);
  const place = lines.length <= rows ? "" : `  ${top + 1}-${top + shown.length} of ${lines.length}`;
  canvas.putCut(1, 0, `${title}${place}`, look.title, canvas.columns);
  const words = search ? textOf(search).toLowerCase() : "";
  shown.forEach((line, at) => {
    canvas.put(0, 1 + at, " ", of === "diff" ? blockOf(line) : block.none);
    canvas.put(1, 1 + at, line, styleOf(of, line));
    highlight(canvas, 1 + at, words);
  });
  if (lines.length === 0) canvas.put(1, 2, of === "diff" ? "No changes." : "No output.", look.plain);
  if (state.message) drawMessage(canvas, canvas.rows - 2, canvas.columns, state.message);
}

function styleOf(of: Pages["of"], line: string): string {
  if (of === "help") return line.startsWith(" ") ? look.plain : look.bold;
  if (of !== "diff") return look.plain;
  return isHead.test(line) || line.startsWith("@") ? look.bold : look.plain;
}

function blockOf(line: string): string {
  if (isHead.test(line)) return block.none;
  return line.startsWith("+") ? block.added : line.startsWith("-") ? block.removed : block.none;
}

const isHead = /^(diff |index |\+\+\+ |--- )/;

function highlight(canvas: Canvas, y: number, words: string): void {
  const cells = canvas.texts[y];
  const styles = canvas.styles[y];
  if (words === "" || !cells || !styles) return;
  const line = cells
    .map((cell) => (cell.length === 1 ? cell : "\u0000"))
    .join("")
    .toLowerCase();
  for (let at = line.indexOf(words); at >= 0; at = line.indexOf(words, at + words.length)) {
    styles.fill(look.found, at, at + words.length);
  }
}
