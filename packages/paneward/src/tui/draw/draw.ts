import { layoutOf } from "../state/layout.ts";
import { selectedRow } from "../state/lines.ts";
import { answerArea, screenToRead } from "../state/question-lines.ts";
import type { State } from "../state/state.ts";
import { Canvas } from "./canvas.ts";
import { drawAnswer } from "./draw-answer.ts";
import { drawKeys, drawNeeds, drawTitle } from "./draw-bars.ts";
import { drawLive } from "./draw-live.ts";
import { drawLog } from "./draw-log.ts";
import { drawPages } from "./draw-pages.ts";
import { drawTable } from "./draw-table.ts";
import { type Depth, withoutColour } from "./style.ts";

/** One frame of the whole interface. */
export function draw(state: State, depth: Depth): Canvas {
  const { columns, rows } = state.size;
  const canvas = new Canvas(columns, rows);
  const { mode } = state;
  const layout = layoutOf(state);
  const row = selectedRow(state);
  if (mode.kind === "pages") drawPages(canvas, state, mode);
  else {
    drawTitle(canvas, layout.title, state);
    drawTable(canvas, layout.table, state);
    if (mode.kind === "answer") {
      drawAnswer(canvas, answerArea(state), mode, row, screenToRead(mode.question, state));
    } else if (layout.live) drawLive(canvas, layout.live, state, row, depth);
    if (layout.log) drawLog(canvas, layout.log, state);
    drawNeeds(canvas, layout.needs, state);
  }
  drawKeys(canvas, layout.keys, state, row);
  if (depth === "none") for (const line of canvas.styles) line.splice(0, line.length, ...line.map(withoutColour));
  return canvas;
}
