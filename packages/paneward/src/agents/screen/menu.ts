import type { QuestionOption } from "@paneward/sdk";

/** A list without numbers, with a pointer that arrows move. Its options are counted from the top. */
export interface Menu {
  readonly options: readonly QuestionOption[];
  readonly first: number;
  readonly last: number;
}

export function menuOptions(lines: readonly string[], pointer: RegExp): Menu | undefined {
  const at = lines.findLastIndex((line) => pointerColumn(line, pointer) >= 0);
  if (at < 0) return undefined;
  const column = labelColumn(lines[at] ?? "", pointer);
  const isAligned = (line: string | undefined) => line !== undefined && line.search(/\S/) === column;
  let first = at;
  while (isAligned(lines[first - 1])) first -= 1;
  let last = at;
  while (isAligned(lines[last + 1])) last += 1;
  const options = lines.slice(first, last + 1).map((line, index) => ({
    number: index + 1,
    label: line.replace(pointer, "").trim(),
    ...(first + index === at && { selected: true }),
  }));
  return { options, first, last };
}

function pointerColumn(line: string, pointer: RegExp): number {
  const column = line.search(/\S/);
  return column >= 0 && pointer.test(line[column] ?? "") ? column : -1;
}

function labelColumn(line: string, pointer: RegExp): number {
  const column = pointerColumn(line, pointer);
  return column + 1 + line.slice(column + 1).search(/\S/);
}
