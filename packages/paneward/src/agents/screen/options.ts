import type { QuestionOption } from "@paneward/sdk";

/** A numbered list of options as a dialog draws it, and its lines on the screen. */
export interface ShownOptions {
  readonly rows: readonly ShownOption[];
  readonly first: number;
  readonly last: number;
}

export interface ShownOption {
  readonly number: number;
  readonly label: string;
  readonly selected: boolean;
  readonly checked?: boolean;
  /** The lines below it that belong to it: a wrapped label, or a description. */
  readonly more: readonly string[];
}

const optionLine = /^(\s*)([❯›●→>▶]?)(\s*)(\d{1,2})\.(\s+)(\[[ xX✔✓]\]\s+)?(.*)$/u;

/** The last numbered list on the screen that counts from 1; lists in prose above it are older. */
export function numberedOptions(lines: readonly string[]): ShownOptions | undefined {
  let rows: Row[] = [];
  for (const [index, line] of lines.entries()) {
    const row = rowOf(line, index);
    const last = rows.at(-1);
    const continues = last !== undefined && last.last === index - 1 && belongs(line, last);
    // A label that contains `1. No` may wrap right before it; the next option is below this one's number.
    if (row && !(continues && row.numberColumn !== last.numberColumn)) {
      if (row.number === 1) rows = [row];
      else if (last && row.number === last.number + 1) rows.push(row);
    } else if (last && continues) {
      last.more.push(line.trim());
      last.last = index;
    }
  }
  const [first] = rows;
  const end = rows.at(-1);
  return first && end ? { rows, first: first.first, last: end.last } : undefined;
}

/** The option of a row. The lines below it are its description if rows are described, else the rest of its label. */
export function offered(row: ShownOption, described: boolean): QuestionOption {
  const { number, label, selected, checked, more } = row;
  return {
    number,
    label: described ? label : [label, ...more].join(" "),
    ...(described && more.length > 0 && { description: more.join(" ") }),
    ...(selected && { selected }),
    ...(checked !== undefined && { checked }),
  };
}

interface Row {
  readonly number: number;
  readonly label: string;
  readonly selected: boolean;
  readonly checked?: boolean;
  readonly more: string[];
  readonly numberColumn: number;
  readonly column: number;
  readonly first: number;
  last: number;
}

function rowOf(line: string, index: number): Row | undefined {
  const found = optionLine.exec(line);
  if (!found) return undefined;
  const [, before = "", pointer = "", gap = "", number = "", after = "", tick, label = ""] = found;
  const numberColumn = before.length + pointer.length + gap.length;
  const column = numberColumn + number.length + 1 + after.length + (tick?.length ?? 0);
  return {
    number: Number(number),
    label: label.trim(),
    selected: pointer !== "",
    ...(tick === undefined ? {} : { checked: !/\[ \]/.test(tick) }),
    more: [],
    numberColumn,
    column,
    first: index,
    last: index,
  };
}

function belongs(line: string, row: Row): boolean {
  const indent = line.search(/\S/);
  return indent >= row.column - 1 && indent <= row.column + 4;
}
