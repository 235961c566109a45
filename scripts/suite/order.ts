/** How long a file took when it was measured. */
export type Seconds = Readonly<Record<string, number>>;

/** The longest first, so that none is left to wait for in the end. A file that was never measured begins early. */
export function longestFirst(files: readonly string[], seconds: Seconds): readonly string[] {
  const length = (file: string) => seconds[file] ?? unknownSeconds;
  return [...files].sort((a, b) => length(b) - length(a) || (a < b ? -1 : 1));
}

/** The table of what was measured, for the files that are worth a row. */
export function tableOf(runs: readonly { readonly file: string; readonly seconds: number }[]): Seconds {
  const rows = runs.map(({ file, seconds }) => [file, Math.round(seconds)] as const);
  return Object.fromEntries(rows.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const unknownSeconds = 15;
