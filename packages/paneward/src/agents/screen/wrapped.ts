/** Joins lines that the program wrapped: those that the next word would not have fitted on. */
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
  // A long word is broken after its hyphen.
  return /\S-$/.test(line) ? "" : " ";
}

/** What of a dialog stays the same at another width, or with its pointer moved. */
export function regionOf(lines: readonly string[]): string {
  return lines.join("").replaceAll(/[\s❯›●→▶│┃╭╮╰╯─╌▔━]|\[[ xX✔✓]\]|[☐☒□■]/gu, "");
}

export function trimmed(lines: readonly string[]): readonly string[] {
  const even = lines.map((line) => line.trimEnd());
  const end = even.findLastIndex((line) => line !== "");
  return even.slice(0, end + 1);
}

/** Up to `count` lines before this row, without empty ones. */
export function linesAbove(lines: readonly string[], row: number, count: number): readonly string[] {
  return lines
    .slice(0, row)
    .filter((line) => line.trim() !== "")
    .slice(-count);
}
