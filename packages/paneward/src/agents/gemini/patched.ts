/** Whether this unified diff, applied to `before`, gives `after`. */
export function isPatched(before: string, diff: string, after: string): boolean {
  const old = linesOf(before);
  const made: string[] = [];
  let next = 0;
  for (const { from, rows } of hunksIn(diff)) {
    if (from < next || from > old.length) return false;
    made.push(...old.slice(next, from));
    next = from;
    for (const row of rows) {
      const text = row.slice(1);
      if (row.startsWith("+")) made.push(text);
      else if (old[next++] !== text) return false;
      else if (row.startsWith(" ")) made.push(text);
    }
  }
  return [...made, ...old.slice(next)].join("\n") === linesOf(after).join("\n");
}

interface Hunk {
  /** The line of the old text that it begins with, from 0. */
  readonly from: number;
  readonly rows: readonly string[];
}

function hunksIn(diff: string): readonly Hunk[] {
  const [, ...hunks] = `\n${diff}`.split(/\n(?=@@ )/);
  return hunks.map((hunk) => {
    const [head = "", ...rows] = hunk.split("\n");
    const [, line = "0", count = "1"] = /^@@ -(\d+)(?:,(\d+))? /.exec(head) ?? [];
    // Of no lines, the one before them is given.
    const from = Number(count) === 0 ? Number(line) : Number(line) - 1;
    return { from, rows: rows.filter((row) => /^[ +-]/.test(row)) };
  });
}

// A diff says nothing reliable about the last line's end.
function linesOf(text: string): readonly string[] {
  const lines = text.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
