import type { View } from "./view.ts";

/** The line to search for a prompt, or undefined where no line prompt is possible. */
export function promptLine(view: View): string | undefined {
  return view.below.length === 0 && view.cursorPlace !== "inside" && view.cursorPlace !== "away"
    ? view.line
    : undefined;
}

/** Whether the cursor is right after the text. */
export function waits(view: View): boolean {
  return view.cursorPlace === "behind";
}

/** Lines that programs print about their work: dated, levelled, quoted, code, diffs, comments, lists. */
export function looksPrinted(line: string): boolean {
  return printed.some((pattern) => pattern.test(line));
}

const printed: readonly RegExp[] = [
  /^\W{0,3}\d{4}-\d\d-\d\d[T ]/,
  /^\W{0,3}\d\d:\d\d(:\d\d)?\b/,
  /^(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]\d \d\d:/,
  /^\W{0,3}(trace|debug|info|notice|warn|warning|error|fatal|fail|failed|usage|note|hint|tip|example)\b\W/i,
  /^\s*([-*+•]|\d+[.)])\s/,
  /^\s*(\/\/|\/\*|<!--|--\s|#\s*\S)/,
  /^[+-]\S/,
  /^[+-] {2,}/,
  /^\s*[|│>]\s/,
  /^\s*[✓✔✗✖√×]/,
  /[;{}]\s*$|["'`]\s*[),;]*$|(^|[^=])=>|\s&&\s|\\$/,
];
