import type { Row, Target } from "./result.ts";

/** The table as text: one line per row, our value first, then the ratio to the other methods. */
export function table(rows: readonly Row[]): string {
  const head = ["", "ours", "bare", "spawn", "vs bare", "vs spawn", "unit", ""];
  const body = rows.map((row) => [
    row.question,
    number(row.ours),
    number(row.bare),
    number(row.spawn),
    ratio(row, row.bare),
    ratio(row, row.spawn),
    row.unit,
    row.note ?? "",
  ]);
  return aligned([head, ...body]);
}

export function verdicts(targets: readonly Target[]): string {
  return aligned(
    targets.map(({ sentence, measured, reached }) => [reached ? "reached" : "MISSED", sentence, measured]),
  );
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const isText = (column: number) => rows.slice(1).every((row) => !/^[\d.]+( ?x)?$/.test(row[column] ?? ""));
  const pad = (cell: string, column: number) =>
    isText(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return rows.map((row) => row.map(pad).join("  ").trimEnd()).join("\n");
}

function number(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return "-";
  if (value === 0 || value >= 100) return value.toFixed(0);
  return value.toFixed(value < 1 ? 4 : 2);
}

// How many times better ours is: less time, or more per second.
function ratio({ unit, ours }: Row, other: number | undefined): string {
  if (other === undefined || ours === 0) return "-";
  const factor = unit.endsWith("/s") ? ours / other : other / ours;
  return `${factor >= 10 ? factor.toFixed(0) : factor.toFixed(2)}x`;
}
