/** Splits rows into the list and its footer: borders, blank rows and lines that name keys. */
export function withoutFooter(rows: readonly string[]): { readonly body: readonly string[]; readonly hinted: boolean } {
  let end = rows.length;
  let hinted = false;
  for (let left = 6; end > 0 && left > 0; end -= 1) {
    const row = rows[end - 1] ?? "";
    if (isBorder(row)) continue;
    if (!namesKeys(row)) break;
    hinted = true;
    left -= 1;
  }
  return { body: rows.slice(0, end), hinted };
}

/** Blank, or only box-drawing characters. */
export function isBorder(row: string): boolean {
  return /^[\s│┃║|╰╯└┘┗┛╭╮┌┐┏┓├┤─━═╌┄▔▁_+-]*$/.test(row);
}

/** Enter to select · ↑/↓ to navigate · Esc to cancel     ←↓↑→ navigate • enter submit     (Press <space> to toggle) */
export function namesKeys(row: string): boolean {
  return (
    row.length <= 200 &&
    /\b(enter|return|esc|escape|tab|space|ctrl|shift|arrow|arrows|arrow-keys)\b|[↑↓←→⏎↵]|\^[A-Z]\b/i.test(row) &&
    /\b(to|select|confirm|submit|navigate|cancel|toggle|move|choose|amend|accept|interrupt|scroll|more|go back|keys)\b/i.test(
      row,
    ) &&
    !/[?:]\s*$/.test(row)
  );
}
