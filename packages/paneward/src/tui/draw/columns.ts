import { widthOf } from "@paneward/sdk/text";

export interface Column<Row> {
  readonly title: string;
  readonly of: (row: Row) => string;
  readonly style: (row: Row) => string;
  /** With this much room it is shown well, if its texts are not shorter anyway: others come after that. */
  readonly enough: number;
  /** With this much it is still worth showing, when there is no more; absent: as much as is enough. */
  readonly least?: number;
  /** Who is left out first when room is short: the highest number. 0 never is. */
  readonly gives: number;
}

/** The columns that have something to show and fit, with their widths: first who is shown, then who gets the rest. */
export function fitColumns<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  room: number,
): readonly (readonly [column: Column<Row>, width: number])[] {
  const natural = new Map(
    columns.flatMap((column) => {
      const widest = Math.max(0, ...rows.map((row) => widthOf(column.of(row))));
      return widest === 0 ? [] : [[column, Math.max(widest, widthOf(column.title))] as const];
    }),
  );
  const byRank = [...natural.keys()].toSorted((a, b) => a.gives - b.gives);
  const widths = new Map<Column<Row>, number>();
  let left = room;
  for (const column of byRank) {
    const wanted = Math.min(natural.get(column) ?? 0, column.enough) + 1;
    if (Math.min(wanted, (column.least ?? column.enough) + 1) > left && column.gives > 1) break;
    widths.set(column, Math.max(1, Math.min(wanted, left) - 1));
    left = Math.max(0, left - wanted);
  }
  for (const [column, width] of widths) {
    const more = Math.min(left, (natural.get(column) ?? 0) - width);
    widths.set(column, width + more);
    left -= more;
  }
  return columns.flatMap((column) => {
    const width = widths.get(column);
    return width === undefined ? [] : [[column, width] as const];
  });
}
