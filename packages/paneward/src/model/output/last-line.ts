/** The last line of a screen that says something: no frame, no empty prompt, no rule. */
export function lastLine(lines: readonly string[]): string {
  const speaking =
    lines.findLast((line) => words(line).length >= enough && !hint.test(trimmed(line))) ??
    lines.findLast((line) => words(line) !== "");
  return trimmed(speaking ?? "").slice(0, longest);
}

// What full-screen programs write below everything else: which keys there are.
const hint = /^(\? for |(esc|enter|tab|ctrl|shift|alt|↑|press).*\b(to|for)\b)/i;
const enough = 3;
const longest = 200;

function words(line: string): string {
  return line.replace(/[^\p{L}\p{N}]/gu, "");
}

function trimmed(line: string): string {
  return line.replace(/^[\s\u2500-\u259f|]+|[\s\u2500-\u259f|]+$/g, "");
}
