/** Whether an input line shows what we typed there. Boxes wrap, scroll, and draw a long paste as a mark. */
export function isOurs(draft: string, text: string, mark?: RegExp): boolean {
  const shown = bare(draft);
  const ours = bare(text);
  if (shown === "" || ours === "") return false;
  if (shown === ours) return true;
  if (shown.length >= minPart && ours.endsWith(shown)) return true;
  return isPasteMark(shown, text, mark);
}

/** Whether the draft is a paste mark that the program draws in place of our text. */
export function isMarkOfOurs(draft: string, text: string, mark: RegExp | undefined): boolean {
  return isPasteMark(bare(draft), text, mark);
}

/** Whether the draft is the beginning of our text: a program draws while text still arrives. */
export function isBeginning(draft: string, text: string): boolean {
  return bare(text).startsWith(bare(draft));
}

/** Whether the draft contains our text, possibly with other text around it. */
export function holdsOurs(draft: string, text: string): boolean {
  const ours = bare(text);
  return ours !== "" && bare(draft).includes(ours.slice(-maxLook));
}

/** A scrolled box shows the end of a long text; fewer characters than this could be another text. */
const minPart = 24;
const maxLook = 200;

// Compare without blanks: wrapping and indenting remove some and add others.
function bare(text: string): string {
  return text.replace(/\s+/g, "");
}

// Programs count lines or the breaks between them, and characters of more than one kind.
function isPasteMark(shown: string, text: string, mark: RegExp | undefined): boolean {
  const [, count, unit] = mark?.exec(shown) ?? [];
  if (count === undefined) return false;
  const expected = unit === "chars" ? [...text].length : text.split(/\r\n|\r|\n/).length;
  return Math.abs(Number(count) - expected) <= (unit === "chars" ? expected * 0.02 + 2 : 1);
}
