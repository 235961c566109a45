const longestLine = 4_096;
const keptCharacters = 256 * 1024;

/** Cuts a stream of text into lines as they come, and keeps its last part. */
export function lines(onLine: (line: string) => void): {
  readonly add: (text: string) => void;
  readonly end: () => string;
} {
  let kept = "";
  let unfinished = "";

  function add(text: string): void {
    kept = (kept + text).slice(-keptCharacters);
    const parts = (unfinished + text).split(/\r*\n/);
    unfinished = parts.pop() ?? "";
    for (const line of parts) onLine(line.slice(0, longestLine));
    if (unfinished.length < longestLine) return;
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
