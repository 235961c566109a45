/**
 * Text of others as a terminal may get it: what would move the cursor, colour, set a title, fill the clipboard or reorder
 * a line is shown instead of obeyed. Line breaks and tabs stay.
 */
export function visible(text: string): string {
  return isHarmless.test(text) ? text : text.replace(acts, shown);
}

/** The same on one line, so that a text moves nothing below it. */
export function shownLine(text: string): string {
  return isPlain.test(text) ? text : visible(text.replace(/\r?\n|\t/g, " "));
}

/** JSON that a terminal may get: the same characters, escaped as JSON can. `JSON.stringify` leaves most of them. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value).replace(acts, (char) =>
    char
      .split("")
      .map((unit) => `\\u${hex(unit)}`)
      .join(""),
  );
}

const isPlain = /^[\u0020-\u007e]*$/;
const isHarmless = /^[\t\n\u0020-\u007e]*$/;

// A carriage return before a line feed moves nothing. C1 controls are escape sequences of one character; then line
// separators, the marks that reorder a line (LRE RLE PDF LRO RLO, LRI RLI FSI PDI, and LRM RLM ALM), and what is not
// drawn at all: soft hyphens, blanks of no width, invisible operators, tags. Joiners are a part of letters and emoji.
// Half of a pair is no character: as bytes it is U+FFFD, so that two different texts would look the same.
const acts =
  /\r(?!\n)|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ud800-\udfff\ufeff\u{e0000}-\u{e007f}]/gu;

// C0 controls and DEL have pictures of their own.
function shown(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : `<U+${hex(char).toUpperCase()}>`;
}

function hex(char: string): string {
  return (char.codePointAt(0) ?? 0).toString(16).padStart(4, "0");
}
