import { columnsOf } from "./columns.ts";
import { shownLine } from "./visible.ts";

/** How many columns a terminal gives a text. */
export function widthOf(text: string): number {
  if (isPlain.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes().segment(text)) width += graphemeWidth(segment);
  return width;
}

export interface Columns {
  readonly min: number;
  readonly max: number;
}

/**
 * The fewest and the most columns that terminals give a text. They differ for what is drawn as one in some and as several in
 * others (families, flags, keycaps, syllables), for what some draw and others leave out, and behind a joiner, where tmux 3.3a
 * draws any wide character into the one before.
 */
export function columnRange(text: string): Columns {
  if (isPlain.test(text)) return { min: text.length, max: text.length };
  let [min, max] = [0, 0];
  let joins = false;
  for (const { segment } of graphemes().segment(text)) {
    const chars = [...segment];
    const widths = chars.map((char) => columnsOf(char.codePointAt(0) ?? 0));
    const drawn = widths.filter((width, at) => width > 0 && !isOftenLeftOut.test(chars[at] ?? ""));
    min += joins || drawn.length === 0 ? 0 : Math.min(...drawn);
    max += Math.max(
      segment.includes("\ufe0f") ? 2 : 0,
      sum(chars.map((char, at) => maxColumns(char, widths[at] ?? 0))),
    );
    joins = segment.endsWith("\u200d");
  }
  return { min, max };
}

const isOftenLeftOut = /^\p{Default_Ignorable_Code_Point}$/u;
const isMark = /^[\p{Mn}\p{Me}]$/u;
const isFlagLetter = /^\p{Regional_Indicator}$/u;

function maxColumns(char: string, width: number): number {
  if (isMark.test(char)) return 0;
  return isFlagLetter.test(char) ? 2 : Math.max(1, width);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** Cuts a text to a width; the last column then shows that something is missing. */
export function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  if (width < 1) return "";
  if (isPlain.test(text)) return `${text.slice(0, width - 1)}…`;
  let kept = "";
  let used = 0;
  for (const { segment } of graphemes().segment(text)) {
    used += graphemeWidth(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** What a person takes for one character, each with its columns. */
export function graphemesOf(text: string): readonly { readonly text: string; readonly width: number }[] {
  if (isPlain.test(text)) return [...text].map((one) => ({ text: one, width: 1 }));
  return Array.from(graphemes().segment(text), ({ segment }) => ({
    text: segment.replace(tooManyMarks, "$1"),
    width: graphemeWidth(segment),
  }));
}

/** One line without colours and controls; what would reorder it, or is not drawn at all, is shown. */
export function oneLine(text: string): string {
  const words = text
    .replace(/\u001b\[[0-9;:?]*[ -/]*[@-~]/g, "")
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ");
  return shownLine(words.trim());
}

// More of them than any script has would be drawn over the lines above and below.
const tooManyMarks = /((?:\p{Mn}|\p{Me}){4})[\p{Mn}\p{Me}]+/gu;

// Letters, lines, blocks, arrows and ticks that are one column each and never join: what interfaces draw needs no segmenter, which
// takes a tenth of the first frame's time to make.
export const isPlain =
  /^[\u0020-\u007e\u00a0-\u00ac\u00ae-\u02ff\u2010-\u2027\u2190-\u2319\u2500-\u25fc\u2711-\u2727\u2758-\u2794]*$/;

// A family, a flag or a syllable of several characters is drawn as one; U+FE0F asks for a character's emoji.
function graphemeWidth(grapheme: string): number {
  let width = 0;
  for (const char of grapheme) width += columnsOf(char.codePointAt(0) ?? 0);
  return width > 0 && grapheme.includes("\ufe0f") ? 2 : Math.min(width, 2);
}

let segmenter: Intl.Segmenter | undefined;

function graphemes(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return segmenter;
}
