import { graphemesOf } from "@paneward/sdk/text";

/** A line in pieces that are no wider than this. */
export function wrapped(line: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let now = "";
  let used = 0;
  for (const { text, width } of graphemesOf(line.replaceAll("\t", "    "))) {
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
