import { type Group, groupsOf, type Row, rowsOf } from "@paneward/sdk/view";
import type { State } from "./state.ts";

/** A line of the table: the name of a project, or a row. */
export type TableLine = { readonly kind: "group"; readonly group: Group } | { readonly kind: "row"; readonly row: Row };

/** All rows of the view, and the lines of the table after filter and sort. */
export function listed(state: Pick<State, "view" | "arrangement">): {
  readonly rows: readonly Row[];
  readonly lines: readonly TableLine[];
} {
  const { view, arrangement } = state;
  if (cache?.view === view && cache.arrangement === arrangement) return cache.listed;
  const rows = rowsOf(view);
  const groups = groupsOf(rows, arrangement);
  const lines = groups.flatMap((group): readonly TableLine[] => [
    { kind: "group", group },
    ...group.rows.map((row) => ({ kind: "row", row }) as const),
  ]);
  cache = { view, arrangement, listed: { rows, lines } };
  return cache.listed;
}

// A cache: called many times per change. Views are immutable, so identity is enough.
let cache: (Pick<State, "view" | "arrangement"> & { readonly listed: ReturnType<typeof listed> }) | undefined;

/** The visible rows, from top to bottom. */
export function shownRows(state: State): readonly Row[] {
  return listed(state).lines.flatMap((line) => (line.kind === "row" ? [line.row] : []));
}

export function selectedRow(state: State): Row | undefined {
  return shownRows(state).find(({ key }) => key === state.selected);
}

/** The project of the selected row, if it has one. */
export function selectedProject(state: State): Group | undefined {
  const groups = listed(state).lines.flatMap((line) => (line.kind === "group" ? [line.group] : []));
  return groups.find(({ folder, rows }) => folder !== "" && rows.some(({ key }) => key === state.selected));
}

/** Selects an existing row and scrolls it into view. */
export function clampSelection(state: State, tableRows: number): State {
  const { lines } = listed(state);
  const found = lines.findIndex((line) => line.kind === "row" && line.row.key === state.selected);
  const at = found < 0 ? nearest(state, lines) : found;
  const line = lines[at];
  const selected = line?.kind === "row" ? line.row.key : undefined;
  // Keep the project's name visible above its first row.
  const highest = lines[at - 1]?.kind === "group" ? at - 1 : at;
  const lowestTop = Math.max(0, at - tableRows + 1);
  const top = Math.max(lowestTop, Math.min(state.top, Math.max(0, highest), Math.max(0, lines.length - tableRows)));
  const isSame = selected === state.selected && top === state.top && at === state.at;
  return isSame ? state : { ...state, selected, top, at: Math.max(0, at) };
}

// The selected row is gone: select the one that took its place.
function nearest(state: State, lines: readonly TableLine[]): number {
  const after = lines.findIndex((line, at) => at >= state.at && line.kind === "row");
  return after >= 0 ? after : lines.findLastIndex((line) => line.kind === "row");
}
