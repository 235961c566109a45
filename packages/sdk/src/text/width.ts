import { columnsOf } from "./columns.ts";
import { shownLine } from "./visible.ts";

/** How many columns a terminal gives a text. */
export function widthOf(text: string): number {
  if (isPlain.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes().segment(text)) width += graphemeWidth(segment);
  return width;
}

/** Cuts a text to a width; the last column then shows that something is missing. */
export function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  if (width < 1) return "";
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

const isPlain = /^[\u0020-\u007e]*$/;

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
