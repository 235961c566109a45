/** How long the long files took when they were measured. */
export type Seconds = Readonly<Record<string, number>>;

/** The longest first, so that none is left to wait for in the end; then those without a row, by name. */
export function longestFirst(files: readonly string[], seconds: Seconds): readonly string[] {
  const length = (file: string) => seconds[file] ?? 0;
  return [...files].sort((a, b) => length(b) - length(a) || (a < b ? -1 : 1));
}

/** The table of what was measured. A file that is short has no row: its place does not matter. */
export function tableOf(runs: readonly { readonly file: string; readonly seconds: number }[]): Seconds {
  const rows = runs.map(({ file, seconds }) => [file, Math.round(seconds)] as const);
  return Object.fromEntries(rows.filter(([, seconds]) => seconds >= minSeconds).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const minSeconds = 10;
