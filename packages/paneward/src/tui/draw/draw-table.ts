import { ageOf, oneLine, shownLine } from "@paneward/sdk/text";
import { countsOf, type Group, type Row, reasonOf } from "@paneward/sdk/view";
import { type Area, layoutOf, tableRows } from "../state/layout.ts";
import { listed } from "../state/lines.ts";
import { refusalOf } from "../state/refusal.ts";
import type { State } from "../state/state.ts";
import type { Canvas } from "./canvas.ts";
import { type Column, fitColumns } from "./columns.ts";
import { block, look } from "./style.ts";

/** Tasks and terminals, grouped by project. */
export function drawTable(canvas: Canvas, area: Area, state: State): void {
  const { lines } = listed(state);
  const rows = tableRows(layoutOf(state));
  const shown = lines.slice(state.top, state.top + rows);
  const shownRows = shown.flatMap((line) => (line.kind === "row" ? [line.row] : []));
  const columns = fitColumns(columnsAt(state.now), shownRows, area.end - area.x - 1);
  if (lines.length === 0) drawNothing(canvas, area, state);
  else drawHead(canvas, area, columns);
  shown.forEach((line, at) => {
    const y = area.y + 1 + at;
    if (line.kind === "group") drawGroup(canvas, area, y, line.group);
    else drawRow(canvas, area, y, line.row, columns, line.row.key === state.selected);
  });
  const below = lines.length - state.top - rows;
  if (below > 0)
    canvas.put(Math.max(area.x, area.end - 12), area.y, `↓ ${below} more`.padStart(11), look.head, area.end);
}

type Fitted = readonly (readonly [column: Column<Row>, width: number])[];

/** The last line is dropped first; id, name and status stay. */
function columnsAt(now: number): readonly Column<Row>[] {
  return [
    { title: "ID", of: ({ id }) => id, style: () => look.plain, preferred: 4, dropOrder: 0 },
    { title: "NAME", of: ({ name }) => shownLine(name), style: () => look.plain, preferred: 20, dropOrder: 1 },
    { title: "STATUS", of: ({ status }) => status, style: statusStyle, preferred: 9, dropOrder: 0 },
    { title: "FOR", of: ({ why }) => ageOf(why.since, now), style: () => look.plain, preferred: 3, dropOrder: 0 },
    { title: "+/-", of: ({ work }) => workText(work), style: () => look.plain, preferred: 10, dropOrder: 2 },
    {
      title: "AHEAD",
      of: ({ work }) => (work?.ahead ? `^${work.ahead}` : ""),
      style: () => look.plain,
      preferred: 5,
      dropOrder: 4,
    },
    {
      title: "WHY",
      of: (row) => oneLine(reasonOf(row)),
      style: () => look.plain,
      preferred: 24,
      min: 12,
      dropOrder: 3,
    },
    { title: "AGENT", of: ({ agent }) => shownLine(agent), style: () => look.plain, preferred: 8, dropOrder: 5 },
    { title: "BRANCH", of: ({ branch }) => shownLine(branch), style: () => look.plain, preferred: 20, dropOrder: 6 },
    {
      title: "LAST LINE",
      of: ({ lastLine }) => oneLine(lastLine),
      style: () => look.plain,
      preferred: 24,
      min: 12,
      dropOrder: 7,
    },
  ];
}

/** Rows that need the user, and failed ones, stand out. */
export function statusStyle(row: Row): string {
  return row.needsMe ? look.wants : blockOf(row) === block.failed ? look.bold : look.plain;
}

/** Green: working. Blue: idle. Yellow: needs you. Red: failed. */
function drawBlock(canvas: Canvas, x: number, y: number, row: Row): void {
  canvas.put(x, y, row.needsMe ? "!" : " ", row.needsMe ? look.wants : blockOf(row));
}

function blockOf({ status, end }: Row): string {
  const failed = end?.kind === "killed" || (end?.kind === "exited" && end.code !== 0);
  return status === "Exited" && failed ? block.failed : blocks[status];
}

const blocks = {
  Draft: block.none,
  Stopped: block.stopped,
  Running: block.working,
  Idle: block.resting,
  Waiting: block.resting,
  Exited: block.ended,
  Completed: block.none,
  Lost: block.failed,
} as const;

export function workText(work: Row["work"]): string {
  return work && work.added + work.removed > 0 ? `+${work.added} -${work.removed}` : "";
}

function drawHead(canvas: Canvas, { x, y, end }: Area, columns: Fitted): void {
  canvas.fill(x, y, end, look.head);
  let at = x + 1;
  for (const [{ title }, width] of columns) {
    canvas.put(at, y, title, look.head, Math.min(end, at + width));
    at += width + 1;
  }
}

function drawGroup(canvas: Canvas, { x, end }: Area, y: number, { name, folder, rows }: Group): void {
  const { needMe, all } = countsOf(rows);
  const at = canvas.put(x, y, name, look.group, end);
  canvas.putCut(at + 2, y, `${all}${needMe > 0 ? `, ${needsYouText(needMe)}` : ""}  ${folder}`, look.plain, end);
}

export function needsYouText(count: number): string {
  return `${count} need${count === 1 ? "s" : ""} you`;
}

function drawRow(canvas: Canvas, { x, end }: Area, y: number, row: Row, columns: Fitted, isSelected: boolean): void {
  if (isSelected) canvas.fill(x, y, end, look.selected);
  drawBlock(canvas, x, y, row);
  let at = x + 1;
  for (const [column, width] of columns) {
    const style = column.style(row);
    const over = isSelected && style !== look.wants ? look.selected : style;
    canvas.putCut(at, y, column.of(row), over, Math.min(end, at + width));
    at += width + 1;
  }
}

function drawNothing(canvas: Canvas, { x, y, end }: Area, state: State): void {
  const { arrangement, view } = state;
  const isFiltered = arrangement.filter !== "" || arrangement.needsMe;
  const mayCreate = refusalOf(state, undefined, "new-and-start") === undefined;
  const steps = mayCreate ? ["", "N  create a task and start it", "   or in a shell: paneward run -- CMD"] : [];
  const empty = ["Nothing is running yet.", ...steps];
  const text = isFiltered
    ? ["Nothing matches. Esc shows everything."]
    : view.connection.kind === "connected"
      ? empty
      : [];
  text.forEach((line, at) => void canvas.putCut(x + 2, y + 1 + at, line, at === 0 ? look.bold : look.plain, end));
}
