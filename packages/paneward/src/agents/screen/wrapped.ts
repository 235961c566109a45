/** Lines as the program meant them: one that would have gone on, had the next word fitted, is joined with the next. */
export function unwrapped(lines: readonly string[], width: number): string {
  let text = "";
  let last = "";
  for (const [index, line] of lines.entries()) {
    if (index > 0) text += seam(last, line, width);
    text += line;
    last = line;
  }
  return text;
}

function seam(line: string, next: string, width: number): string {
  const word = /^\S*/.exec(next)?.[0] ?? "";
  if (word === "" || line === "") return "\n";
  if (line.length >= width) return "";
  if (line.length + 1 + word.length <= width) return "\n";
  // A long word is broken behind its hyphen.
  return /\S-$/.test(line) ? "" : " ";
}

/** What stays the same when a dialog is drawn again, at another width or with its pointer elsewhere. */
export function regionOf(lines: readonly string[]): string {
  return lines.join("").replaceAll(/[\s❯›●→▶│┃╭╮╰╯─╌▔━]|\[[ xX✔✓]\]|[☐☒□■]/gu, "");
}

export function trimmed(lines: readonly string[]): readonly string[] {
  const even = lines.map((line) => line.trimEnd());
  const end = even.findLastIndex((line) => line !== "");
  return even.slice(0, end + 1);
}

/** The last lines that are not empty, at most so many, before this row. */
export function linesAbove(lines: readonly string[], row: number, count: number): readonly string[] {
  return lines
    .slice(0, row)
    .filter((line) => line.trim() !== "")
    .slice(-count);
}
