import { type Group, groupsOf, type Row, rowsOf } from "@paneward/sdk/view";
import type { State } from "./state.ts";

/** A line of the table: the name of a project, or a row. */
export type TableLine = { readonly kind: "group"; readonly group: Group } | { readonly kind: "row"; readonly row: Row };

/** All rows of the view, and the lines of the table as they are arranged now. */
export function listed(state: Pick<State, "view" | "arrangement">): {
  readonly rows: readonly Row[];
  readonly lines: readonly TableLine[];
} {
  const { view, arrangement } = state;
  if (kept?.view === view && kept.arrangement === arrangement) return kept.listed;
  const rows = rowsOf(view);
  const groups = groupsOf(rows, arrangement);
  const lines = groups.flatMap((group): readonly TableLine[] => [
    { kind: "group", group },
    ...group.rows.map((row) => ({ kind: "row", row }) as const),
  ]);
  kept = { view, arrangement, listed: { rows, lines } };
  return kept.listed;
}

// Drawn many times between two changes; a view is never changed in place.
let kept: (Pick<State, "view" | "arrangement"> & { readonly listed: ReturnType<typeof listed> }) | undefined;

/** The rows that are shown, from top to bottom. */
export function shownRows(state: State): readonly Row[] {
  return listed(state).lines.flatMap((line) => (line.kind === "row" ? [line.row] : []));
}

export function selectedRow(state: State): Row | undefined {
  return shownRows(state).find(({ key }) => key === state.selected);
}

/** The project that the cursor is in, if it is in one. */
export function selectedProject(state: State): Group | undefined {
  const groups = listed(state).lines.flatMap((line) => (line.kind === "group" ? [line.group] : []));
  return groups.find(({ folder, rows }) => folder !== "" && rows.some(({ key }) => key === state.selected));
}

/** Puts the cursor on a row that exists, and scrolls so that it can be seen. */
export function settled(state: State, tableRows: number): State {
  const { lines } = listed(state);
  const found = lines.findIndex((line) => line.kind === "row" && line.row.key === state.selected);
  const at = found < 0 ? nearest(state, lines) : found;
  const line = lines[at];
  const selected = line?.kind === "row" ? line.row.key : undefined;
  // The project's name stays in sight above its first row.
  const highest = lines[at - 1]?.kind === "group" ? at - 1 : at;
  const lowestTop = Math.max(0, at - tableRows + 1);
  const top = Math.max(lowestTop, Math.min(state.top, Math.max(0, highest), Math.max(0, lines.length - tableRows)));
  const isSame = selected === state.selected && top === state.top && at === state.at;
  return isSame ? state : { ...state, selected, top, at: Math.max(0, at) };
}

// The row that was selected is gone: the one that took its place.
function nearest(state: State, lines: readonly TableLine[]): number {
  const after = lines.findIndex((line, at) => at >= state.at && line.kind === "row");
  return after >= 0 ? after : lines.findLastIndex((line) => line.kind === "row");
}
