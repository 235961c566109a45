import { momentOf } from "@paneward/sdk/text";
import type { Area } from "../state/layout.ts";
import type { State } from "../state/state.ts";
import type { Canvas } from "./canvas.ts";
import { block, look, rule } from "./style.ts";

/** What was done from here, newest at the bottom. */
export function drawLog(canvas: Canvas, { x, y, end, bottom }: Area, { log }: State): void {
  canvas.fill(x, y, end, rule, "─");
  canvas.put(x + 1, y, " commands ", look.plain, end);
  log.slice(-(bottom - y - 1)).forEach(({ at, text, isFailure }, number) => {
    const row = y + 1 + number;
    if (isFailure) canvas.put(x, row, " ", block.failed);
    const next = canvas.put(x + 1, row, `${momentOf(at).slice(11)} `, look.plain, end);
    canvas.putCut(next, row, text, isFailure ? look.bold : look.plain, end);
  });
}
