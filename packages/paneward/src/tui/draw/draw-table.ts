import { ageOf, oneLine } from "@paneward/sdk/text";
import { countsOf, type Group, type Row, reasonOf } from "@paneward/sdk/view";
import { type Area, layoutOf, tableRows } from "../state/layout.ts";
import { listed } from "../state/lines.ts";
import type { State } from "../state/state.ts";
import type { Canvas } from "./canvas.ts";
import { type Column, fitColumns } from "./columns.ts";
import { look } from "./style.ts";

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
    canvas.put(Math.max(area.x, area.end - 12), area.y, `↓ ${below} more`.padStart(11), look.dim, area.end);
}

type Fitted = readonly (readonly [column: Column<Row>, width: number])[];

/** The last line is the longest and gives way first; who it is and how it is stay to the end. */
function columnsAt(now: number): readonly Column<Row>[] {
  return [
    { title: "ID", of: ({ id }) => id, style: () => look.plain, enough: 4, gives: 0 },
    { title: "NAME", of: ({ name }) => name, style: () => look.plain, enough: 14, gives: 1 },
    { title: "STATUS", of: ({ status }) => status, style: statusStyle, enough: 9, gives: 0 },
    { title: "FOR", of: ({ why }) => ageOf(why.since, now), style: () => look.dim, enough: 3, gives: 0 },
    { title: "+/-", of: ({ work }) => workWords(work), style: () => look.plain, enough: 10, gives: 4 },
    {
      title: "AHEAD",
      of: ({ work }) => (work?.ahead ? `^${work.ahead}` : ""),
      style: () => look.plain,
      enough: 5,
      gives: 5,
    },
    {
      title: "WHY",
      of: (row) => oneLine(reasonOf(row)),
      style: (row) => (row.needsMe ? look.wants : look.dim),
      enough: 24,
      gives: 3,
    },
    { title: "AGENT", of: ({ agent }) => agent, style: () => look.plain, enough: 8, gives: 6 },
    { title: "BRANCH", of: ({ branch }) => branch, style: () => look.dim, enough: 20, gives: 7 },
    { title: "LAST LINE", of: ({ lastLine }) => oneLine(lastLine), style: () => look.dim, enough: 24, gives: 8 },
  ];
}

/** Green works, yellow wants you, red went wrong. */
export function statusStyle({ status, end, needsMe }: Row): string {
  if (needsMe) return look.wants;
  const failed = end?.kind === "killed" || (end?.kind === "exited" && end.code !== 0);
  return status === "Exited" && failed ? look.bad : styles[status];
}

const styles = {
  Draft: look.quiet,
  Stopped: look.stopped,
  Running: look.good,
  Idle: look.rest,
  Waiting: look.wants,
  Exited: look.ended,
  Completed: look.quiet,
  Lost: look.bad,
} as const;

export function workWords(work: Row["work"]): string {
  return work && work.added + work.removed > 0 ? `+${work.added} -${work.removed}` : "";
}

function drawHead(canvas: Canvas, { x, y, end }: Area, columns: Fitted): void {
  let at = x + 1;
  for (const [{ title }, width] of columns) {
    canvas.put(at, y, title, look.dim, Math.min(end, at + width));
    at += width + 1;
  }
}

function drawGroup(canvas: Canvas, { x, end }: Area, y: number, { name, folder, rows }: Group): void {
  const { needMe, all } = countsOf(rows);
  const at = canvas.put(x, y, name, look.group, end);
  canvas.putCut(at + 2, y, `${all}${needMe > 0 ? `, ${needMe} need you` : ""}  ${folder}`, look.dim, end);
}

function drawRow(canvas: Canvas, { x, end }: Area, y: number, row: Row, columns: Fitted, isSelected: boolean): void {
  if (isSelected) canvas.fill(x, y, end, look.selected);
  const over = (style: string) =>
    isSelected ? [look.selected, style].filter((one) => one !== "" && one !== look.dim).join(";") : style;
  canvas.put(x, y, row.needsMe ? "!" : " ", over(look.wants));
  let at = x + 1;
  for (const [column, width] of columns) {
    canvas.putCut(at, y, column.of(row), over(column.style(row)), Math.min(end, at + width));
    at += width + 1;
  }
}

function drawNothing(canvas: Canvas, { x, y, end }: Area, { arrangement, view }: State): void {
  const isFiltered = arrangement.filter !== "" || arrangement.needsMe;
  const begin = ["Nothing runs yet.", "", "N  a new task, started at once", "   or in a shell: paneward run -- CMD"];
  const text = isFiltered ? ["Nothing fits. Esc shows everything."] : view.connection.kind === "connected" ? begin : [];
  text.forEach((line, at) => void canvas.putCut(x + 2, y + 1 + at, line, at === 0 ? look.bold : look.dim, end));
}
