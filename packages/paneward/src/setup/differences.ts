/** A line of a difference: one that stays, goes or comes. */
export type DiffLine = readonly [mark: " " | "-" | "+", line: string];

/** The lines that differ, with those around them; a file that does not exist has none. */
export function differences(before: string, after: string, around = 2): readonly DiffLine[] {
  const [was, is] = [linesOf(before), linesOf(after)];
  const most = Math.min(was.length, is.length);
  let same = 0;
  while (same < most && was[same] === is[same]) same++;
  let end = 0;
  while (end < most - same && was.at(-1 - end) === is.at(-1 - end)) end++;
  const mark = (sign: DiffLine[0], lines: readonly string[]) => lines.map((line): DiffLine => [sign, line]);
  return [
    ...mark(" ", was.slice(Math.max(0, same - around), same)),
    ...mark("-", was.slice(same, was.length - end)),
    ...mark("+", is.slice(same, is.length - end)),
    ...mark(" ", was.slice(was.length - end, was.length - end + around)),
  ];
}

function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}
