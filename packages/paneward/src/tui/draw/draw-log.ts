import { momentOf } from "@paneward/sdk/text";
import type { Area } from "../state/layout.ts";
import type { State } from "../state/state.ts";
import { wrapLine } from "../state/wrap.ts";
import type { Canvas } from "./canvas.ts";
import { block, look, rule } from "./style.ts";

/** The command log, newest at the bottom. Long lines are wrapped, because the hint of a failure is at its end. */
export function drawLog(canvas: Canvas, { x, y, end, bottom }: Area, { log }: State): void {
  canvas.fill(x, y, end, rule, "─");
  canvas.put(x + 1, y, " commands ", look.plain, end);
  const room = bottom - y - 1;
  const lines = log.slice(-room).flatMap(({ at, text, isFailure }) =>
    wrapLine(text, Math.max(1, end - x - timeColumns)).map((part, number) => ({
      time: number === 0 ? momentOf(at).slice(11) : "",
      part,
      isFailure,
    })),
  );
  lines.slice(-room).forEach(({ time, part, isFailure }, number) => {
    const row = y + 1 + number;
    if (isFailure) canvas.put(x, row, " ", block.failed);
    canvas.put(x + 1, row, time, look.plain, end);
    canvas.put(x + timeColumns, row, part, isFailure ? look.bold : look.plain, end);
  });
}

const timeColumns = 10;
