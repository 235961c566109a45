import type { Size, State } from "./state.ts";

/** A part of the terminal. `end` and `bottom` are exclusive. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly end: number;
  readonly bottom: number;
}

export interface Layout {
  readonly title: Area;
  /** The table, with its head in the first row. */
  readonly table: Area;
  /** The selected terminal's screen, with its name in the first row; absent if there is no room. */
  readonly live: Area | undefined;
  readonly log: Area | undefined;
  readonly needs: Area;
  readonly keys: Area;
}

export type LayoutInput = Pick<State, "size" | "logShown" | "logRows" | "isListAlone">;

/** The screen is beside the table on a wide terminal, below it on a high one. */
export function layoutOf({ size, logShown, logRows, isListAlone }: LayoutInput): Layout {
  const { columns, rows } = size;
  const line = (y: number): Area => ({ x: 0, y, end: columns, bottom: y + 1 });
  const lowest = Math.max(2, rows - 2);
  const logHeight = logShown ? Math.min(logRows + 1, Math.max(0, lowest - 1 - minBodyRows)) : 0;
  const body: Area = { x: 0, y: 1, end: columns, bottom: lowest - Math.max(0, logHeight) };
  const log = logHeight < 2 ? undefined : { x: 0, y: body.bottom, end: columns, bottom: lowest };
  const whole = log ? body : { ...body, bottom: lowest };
  const parts = isListAlone ? { table: whole, live: undefined } : bodyOf(whole, size);
  return { title: line(0), ...parts, log, needs: line(rows - 2), keys: line(rows - 1) };
}

const minBodyRows = 8;
const minWideColumns = 110;

function bodyOf(body: Area, { columns }: Size): Pick<Layout, "table" | "live"> {
  if (columns >= minWideColumns) {
    const middle = Math.max(58, Math.floor(columns / 2));
    return { table: { ...body, end: middle }, live: { ...body, x: middle + 1 } };
  }
  const height = body.bottom - body.y;
  if (height < minBodyRows) return { table: body, live: undefined };
  const middle = body.y + Math.max(4, Math.floor(height * 0.45));
  return { table: { ...body, bottom: middle }, live: { ...body, y: middle } };
}

export function isInside(area: Area | undefined, x: number, y: number): boolean {
  return area !== undefined && x >= area.x && x < area.end && y >= area.y && y < area.bottom;
}

/** How many lines of the table are visible. */
export function tableRows({ table }: Layout): number {
  return Math.max(1, table.bottom - table.y - 1);
}
