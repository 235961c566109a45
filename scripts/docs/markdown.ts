/** A table as Markdown, one line per row. */
export function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`.replaceAll("|  |", "| |");
  return [line(titles), `|${"---|".repeat(titles.length)}`, ...rows.map((cells) => line(cells.map(escaped)))].join(
    "\n",
  );
}

export function code(text: string): string {
  return `\`${text}\``;
}

/** Breaks a paragraph into lines of the width that all pages have. */
export function paragraph(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1) ?? ""} ${word}`.trimStart();
    if (lines.length > 0 && longer.length <= pageWidth) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.join("\n");
}

/** `[tasks.md](tasks.md#merge)`. */
export function linkTo(page: string): string {
  return `[${page.replace(/#.*/, "")}](${page})`;
}

const pageWidth = 120;

function escaped(cell: string): string {
  return cell.replaceAll("|", "\\|");
}
