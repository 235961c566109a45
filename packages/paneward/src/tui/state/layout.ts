import type { Size, State } from "./state.ts";

/** A part of the terminal. `end` and `bottom` are the first column and row that do not belong to it. */
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
  /** The selected one's screen, with its name in the first row; absent when there is no room. */
  readonly live: Area | undefined;
  readonly log: Area | undefined;
  readonly needs: Area;
  readonly keys: Area;
}

/** What decides where things are. */
export type Shaping = Pick<State, "size" | "logShown" | "logRows" | "isListAlone">;

/** Where everything is: the screen beside the table when the terminal is wide, below it when it is high enough. */
export function layoutOf({ size, logShown, logRows, isListAlone }: Shaping): Layout {
  const { columns, rows } = size;
  const line = (y: number): Area => ({ x: 0, y, end: columns, bottom: y + 1 });
  const lowest = Math.max(2, rows - 2);
  const logHeight = logShown ? Math.min(logRows + 1, Math.max(0, lowest - 1 - leastBody)) : 0;
  const body: Area = { x: 0, y: 1, end: columns, bottom: lowest - Math.max(0, logHeight) };
  const log = logHeight < 2 ? undefined : { x: 0, y: body.bottom, end: columns, bottom: lowest };
  const whole = log ? body : { ...body, bottom: lowest };
  const parts = isListAlone ? { table: whole, live: undefined } : bodyOf(whole, size);
  return { title: line(0), ...parts, log, needs: line(rows - 2), keys: line(rows - 1) };
}

const leastBody = 8;
const wide = 110;

function bodyOf(body: Area, { columns }: Size): Pick<Layout, "table" | "live"> {
  if (columns >= wide) {
    const middle = Math.max(58, Math.floor(columns / 2));
    return { table: { ...body, end: middle }, live: { ...body, x: middle + 1 } };
  }
  const height = body.bottom - body.y;
  if (height < leastBody) return { table: body, live: undefined };
  const middle = body.y + Math.max(4, Math.floor(height * 0.45));
  return { table: { ...body, bottom: middle }, live: { ...body, y: middle } };
}

export function isInside(area: Area | undefined, x: number, y: number): boolean {
  return area !== undefined && x >= area.x && x < area.end && y >= area.y && y < area.bottom;
}

/** How many lines of the table can be seen. */
export function tableRows({ table }: Layout): number {
  return Math.max(1, table.bottom - table.y - 1);
}
