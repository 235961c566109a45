import { cutTo, oneLine, widthOf } from "@paneward/sdk/text";
import type { Colour, Out } from "./out.ts";

export interface Column<Row> {
  readonly title: string;
  readonly of: (row: Row) => string;
  readonly colour?: (row: Row) => Colour | undefined;
  /** May be truncated on a narrow terminal; the widest such column first. */
  readonly cut?: true;
  /** May be dropped if other columns would become unreadably narrow; the last such column first. */
  readonly spare?: true;
  readonly right?: true;
}

/** Aligned columns with a header, no wider than the terminal. A column without any value is left out. */
export function tableLines<Row>(
  out: Pick<Out, "columns" | "paint">,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): readonly string[] {
  const cells = columns.map((column) => rows.map((row) => oneLine(column.of(row))));
  const filled = columns.flatMap((column, at) =>
    cells[at]?.some((cell) => cell !== "") ? [{ column, cells: cells[at] }] : [],
  );
  const { shown, widths } = fitColumns(
    filled.map((one) => ({ ...one, natural: Math.max(widthOf(one.column.title), ...one.cells.map(widthOf)) })),
    out.columns,
  );
  const line = (texts: readonly string[], paint: (at: number, text: string) => string) =>
    texts
      .map((text, at) => cellOf(text, widths[at] ?? 0, shown[at]?.column.right === true, (cut) => paint(at, cut)))
      .join("  ")
      .trimEnd();
  const header = line(
    shown.map(({ column }) => column.title),
    (_, text) => out.paint("bold", text),
  );
  const body = rows.map((row, number) =>
    line(
      shown.map((one) => one.cells[number] ?? ""),
      (at, text) => {
        const colour = shown[at]?.column.colour?.(row);
        return colour ? out.paint(colour, text) : text;
      },
    ),
  );
  return [header, ...body];
}

export function printTable<Row>(out: Out, rows: readonly Row[], columns: readonly Column<Row>[]): void {
  for (const line of tableLines(out, rows, columns)) out.line(line);
}

function cellOf(text: string, width: number, right: boolean, paint: (text: string) => string): string {
  const cut = cutTo(text, width);
  const padding = " ".repeat(Math.max(0, width - widthOf(cut)));
  return right ? padding + paint(cut) : paint(cut) + padding;
}

interface Measured<Row> {
  readonly column: Column<Row>;
  readonly cells: readonly string[];
  readonly natural: number;
}

/** Which columns fit, and how wide each is. */
function fitColumns<Row>(
  shown: readonly Measured<Row>[],
  room: number,
): { readonly shown: readonly Measured<Row>[]; readonly widths: readonly number[] } {
  const widths = shrunkWidths(shown, room);
  const spare = shown.findLastIndex(({ column }) => column.spare);
  const isTight = shown.some(({ natural }, at) => (widths[at] ?? 0) < Math.min(natural, minReadableWidth));
  return spare < 0 || !isTight ? { shown, widths } : fitColumns(shown.toSpliced(spare, 1), room);
}

/** Shrinks the widest `cut` columns until the line fits, but none below `minWidth`. */
function shrunkWidths<Row>(shown: readonly Measured<Row>[], room: number): readonly number[] {
  const widths = shown.map(({ natural }) => natural);
  const total = () => widths.reduce((sum, width) => sum + width, 0) + 2 * Math.max(0, widths.length - 1);
  for (let excess = total() - room; excess > 0; excess = total() - room) {
    const cuttable = shown.flatMap(({ column }, at) => (column.cut && (widths[at] ?? 0) > minWidth ? [at] : []));
    const [widest, next] = cuttable.toSorted((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0));
    if (widest === undefined) break;
    const width = widths[widest] ?? 0;
    const level = next === undefined ? minWidth : Math.max(minWidth, widths[next] ?? 0);
    // Down to the next column's width; equally wide columns shrink in turn.
    widths[widest] = Math.max(width - excess, Math.min(level, width - 1));
  }
  return widths;
}

const minWidth = 8;
const minReadableWidth = 16;
