/** The last meaningful line of a screen: no frame, no empty prompt, no rule. */
export function lastLine(lines: readonly string[]): string {
  const meaningful =
    lines.findLast((line) => words(line).length >= minWordLength && !hint.test(trimmed(line))) ??
    lines.findLast((line) => words(line) !== "");
  return trimmed(meaningful ?? "").slice(0, maxLength);
}

// The list of keys that full-screen programs show at the bottom.
const hint = /^(\? for |(esc|enter|tab|ctrl|shift|alt|↑|press).*\b(to|for)\b)/i;
const minWordLength = 3;
const maxLength = 200;

function words(line: string): string {
  return line.replace(/[^\p{L}\p{N}]/gu, "");
}

function trimmed(line: string): string {
  return line.replace(/^[\s\u2500-\u259f|]+|[\s\u2500-\u259f|]+$/g, "");
}
