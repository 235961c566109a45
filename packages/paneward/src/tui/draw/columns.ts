import { widthOf } from "@paneward/sdk/text";

export interface Column<Row> {
  readonly title: string;
  readonly of: (row: Row) => string;
  readonly style: (row: Row) => string;
  /** The width it gets before less important columns get any; less if its texts are shorter. */
  readonly preferred: number;
  /** The width below which it is dropped. Default: `preferred`. */
  readonly min?: number;
  /** When room is short, columns with the highest number are dropped first; 0 and 1 never. */
  readonly dropOrder: number;
}

/** The columns that have values and fit, with their widths. Spare room goes to the most important columns first. */
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
  const byRank = [...natural.keys()].toSorted((a, b) => a.dropOrder - b.dropOrder);
  const widths = new Map<Column<Row>, number>();
  let left = room;
  for (const column of byRank) {
    const wanted = Math.min(natural.get(column) ?? 0, column.preferred) + 1;
    if (Math.min(wanted, (column.min ?? column.preferred) + 1) > left && column.dropOrder > 1) break;
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
