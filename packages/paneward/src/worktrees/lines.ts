const maxLineLength = 4_096;
const maxKeptChars = 256 * 1024;

/** Splits a text stream into lines as they arrive, and keeps its last part. */
export function lines(onLine: (line: string) => void): {
  readonly add: (text: string) => void;
  readonly end: () => string;
} {
  let kept = "";
  let unfinished = "";

  function add(text: string): void {
    kept = (kept + text).slice(-maxKeptChars);
    const parts = (unfinished + text).split(/\r*\n/);
    unfinished = parts.pop() ?? "";
    for (const line of parts) onLine(line.slice(0, maxLineLength));
    if (unfinished.length < maxLineLength) return;
    onLine(unfinished);
    unfinished = "";
  }

  function end(): string {
    if (unfinished !== "") onLine(unfinished);
    unfinished = "";
    return kept;
  }

  return { add, end };
}
