import { graphemesOf, shownLine } from "@paneward/sdk/text";

/** Splits a line into pieces no wider than `columns`. */
export function wrapLine(line: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let now = "";
  let used = 0;
  for (const { text, width } of graphemesOf(shownLine(line.replaceAll("\t", "    ")))) {
    if (used + width > columns) {
      lines.push(now);
      now = "";
      used = 0;
    }
    now += text;
    used += width;
  }
  return [...lines, now];
}
