import { widthOf } from "@paneward/sdk/text";
import type { ShownQuestion } from "../../agents/agent.ts";

type Rows = NonNullable<ShownQuestion["rows"]>;

/**
 * Whether these rows are how a dialog draws this text: every character, with the same blanks between them. Only where a row
 * ends because the next word did not fit, nothing shows what was there. Agents leave out control characters and tabs.
 */
export function isDrawnAs(text: string, { lines, width, lead = "" }: Rows, cut?: ShownQuestion["cut"]): boolean {
  const own = signsOf(lead + text);
  const shown = signsOf(joined(lines, width));
  if (shown.length === 0 || shown.length > own.length) return shown.length === own.length;
  if (cut === undefined && shown.length !== own.length) return false;
  const from = cut === "begin" ? own.length - shown.length : 0;
  return shown.every(({ gap, sign }, at) => {
    const mine = own[from + at];
    const before = own[from + at - 1]?.sign;
    return mine?.sign === sign && (at === 0 || isGap(gap, mine.gap, before));
  });
}

/** The rows of a text whose ends are all its own. */
export function rowsOf(text: string): Rows {
  return { lines: text.split("\n"), width: Number.POSITIVE_INFINITY };
}

interface Sign {
  /** What is between it and the sign before, and cannot be seen by itself. */
  readonly gap: string;
  readonly sign: string;
}

function signsOf(text: string): readonly Sign[] {
  return [...text.matchAll(/([\s\p{Cc}\p{Cf}]*)([^\s\p{Cc}\p{Cf}])/gu)].map(([, gap = "", sign = ""]) => ({
    gap,
    sign,
  }));
}

const [wrap, fullRow] = ["\u0001", "\u0002"];

function joined(lines: readonly string[], width: number): string {
  return lines.reduce(
    (text, line, at) => (at === 0 ? line : `${text}${seam(lines[at - 1] ?? "", line, width)}${line}`),
    "",
  );
}

function seam(line: string, next: string, width: number): string {
  const word = /^\S*/.exec(next)?.[0] ?? "";
  const used = widthOf(line);
  if (used >= width) return fullRow;
  if (line === "" || word === "" || used + 1 + widthOf(word) <= width) return "\n";
  // A long word is broken after its hyphen, and before a character of two columns.
  return /-$/.test(line) || used === width - 1 ? fullRow : wrap;
}

function isGap(shown: string, own: string, before: string | undefined): boolean {
  if (shown.includes(fullRow)) return true;
  if (shown.includes(wrap)) return own !== "";
  if (/[^ \n]/.test(own)) return true;
  if (shown.includes("\n") || own.includes("\n")) return shown.includes("\n") && own.includes("\n");
  // Blanks behind a backslash are not drawn.
  return shown === own || (shown === "" && before === "\\");
}
