import { ageOf, oneLine } from "@paneward/sdk/text";
import { type Row, reasonOf } from "@paneward/sdk/view";
import type { Area } from "../state/layout.ts";
import { isAlive, type State } from "../state/state.ts";
import type { Canvas } from "./canvas.ts";
import { statusStyle, workText } from "./draw-table.ts";
import { piecesOf } from "./escapes.ts";
import { type Depth, look, rule } from "./style.ts";

/** The selected terminal: its name in the first row, its screen below, newest lines at the bottom. */
export function drawLive(canvas: Canvas, area: Area, state: State, row: Row | undefined, depth: Depth): void {
  if (area.x > 0) for (let y = area.y; y < area.bottom; y++) canvas.put(area.x - 1, y, "│", rule);
  if (!row) return;
  drawName(canvas, area, row, state.now);
  const rows = area.bottom - area.y - 1;
  const screen = state.live && state.live.terminal === row.terminal ? state.live.lines : undefined;
  if (!screen) {
    for (const [at, line] of textOf(row).slice(0, rows).entries()) canvas.put(area.x + 1, area.y + 1 + at, line);
    return;
  }
  const lines = screen;
  const used = lines.length - emptyAtEnd(lines);
  lines.slice(Math.max(0, used - rows), used).forEach((line, at) => {
    let x = area.x + 1;
    for (const { text, style } of piecesOf(line, depth))
      x = canvas.putScreen(x, area.y + 1 + at, text, style, area.end);
  });
}

function drawName(canvas: Canvas, { x, y, end }: Area, row: Row, now: number): void {
  canvas.fill(x, y, end, rule, "─");
  let at = canvas.putCut(x + 1, y, ` ${row.id} ${row.name} `, look.bold, end);
  at = canvas.put(at, y, row.status, statusStyle(row), end);
  at = canvas.put(at, y, ` ${ageOf(row.why.since, now)} `, look.plain, end);
  const more = [
    oneLine(reasonOf(row)),
    row.adopted ? "in your own tmux" : "",
    row.agent,
    row.branch,
    workText(row.work),
    row.work?.ahead ? `^${row.work.ahead}` : "",
  ];
  canvas.putCut(at, y, `${more.filter((part) => part !== "").join(" · ")} `, look.plain, end);
}

// A task that never ran has no screen; show its text.
function textOf(row: Row): readonly string[] {
  if (row.adopted && !isAlive(row)) return ["It ran in your own tmux; its output was not kept."];
  return row.terminal === undefined ? row.text.split("\n") : [];
}

function emptyAtEnd(lines: readonly string[]): number {
  const last = lines.findLastIndex((line) => piecesOf(line, "none").some(({ text }) => text.trim() !== ""));
  return lines.length - 1 - last;
}
