import { cutTo, oneLine, widthOf } from "@paneward/sdk/text";
import type { Colour, Out } from "./out.ts";

export interface Column<Row> {
  readonly title: string;
  readonly of: (row: Row) => string;
  readonly colour?: (row: Row) => Colour | undefined;
  /** May be cut when the terminal is too narrow; the first such column gives way first. */
  readonly cut?: true;
  readonly right?: true;
}

/** Aligned columns with a header, no wider than the terminal. A column without any value is left out. */
export function tableLines<Row>(
  out: Pick<Out, "columns" | "paint">,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): readonly string[] {
  const cells = columns.map((column) => rows.map((row) => oneLine(column.of(row))));
  const shown = columns.flatMap((column, at) =>
    cells[at]?.some((cell) => cell !== "") ? [{ column, cells: cells[at] }] : [],
  );
  const natural = shown.map((one) => Math.max(widthOf(one.column.title), ...one.cells.map(widthOf)));
  const widths = fitted(
    natural,
    shown.map(({ column }) => column.cut === true),
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

/** Takes columns away from what may be cut until the line fits; nothing is cut below a few letters. */
function fitted(natural: readonly number[], mayCut: readonly boolean[], room: number): readonly number[] {
  const widths = [...natural];
  const total = () => widths.reduce((sum, width) => sum + width, 0) + 2 * Math.max(0, widths.length - 1);
  for (const [at, may] of mayCut.entries()) {
    const tooMuch = total() - room;
    if (tooMuch <= 0) break;
    if (may) widths[at] = Math.max(narrowest, (widths[at] ?? 0) - tooMuch);
  }
  return widths;
}

const narrowest = 8;
