import { type Count, closingLine, sum } from "./count.ts";
import type { FileRun } from "./file-run.ts";

/** A file that failed beside others and passed alone. */
export interface Flaky {
  readonly file: string;
  readonly first: FileRun;
  readonly second: FileRun;
}

export interface Verdict {
  readonly count: Count;
  readonly flaky: readonly Flaky[];
  readonly passes: boolean;
}

export function failed({ count }: FileRun): boolean {
  return count.failed > 0;
}

/** What counts is a file's last run. */
export function verdictOf(first: readonly FileRun[], second: readonly FileRun[]): Verdict {
  const again = new Map(second.map((run) => [run.file, run]));
  const last = first.map((run) => again.get(run.file) ?? run);
  const flaky = first.flatMap((run) => {
    const other = again.get(run.file);
    return other && failed(run) && !failed(other) ? [{ file: run.file, first: run, second: other }] : [];
  });
  return { count: sum(last.map(({ count }) => count)), flaky, passes: last.length > 0 && !last.some(failed) };
}

/** The end of the report: the flaky files with the places of both outputs, then the line that counts. */
export function lastLines({ count, flaky }: Verdict, placeOf: (run: FileRun) => string): readonly string[] {
  const named = flaky.flatMap(({ file, first, second }) => [
    `  ${file}`,
    `    failed beside others: ${placeOf(first)}`,
    `    passed alone:         ${placeOf(second)}`,
  ]);
  const heading = `flaky: ${flaky.length} ${flaky.length === 1 ? "file" : "files"} failed at first and passed alone`;
  return [...(flaky.length > 0 ? [heading, ...named] : []), closingLine(count)];
}
