/** Whether what stands in an input line is what we typed there. Boxes wrap, scroll, and draw a long paste as a mark. */
export function isOurs(draft: string, text: string): boolean {
  const shown = bare(draft);
  const ours = bare(text);
  if (shown === "" || ours === "") return false;
  if (shown === ours) return true;
  if (shown.length >= minPart && ours.endsWith(shown)) return true;
  return isPasteMark(shown, text);
}

/** Whether it is ours, drawn as a mark that stands for the whole of it. */
export function isMarkOfOurs(draft: string, text: string): boolean {
  return isPasteMark(bare(draft), text);
}

/** Whether it may become ours: a program draws while text still arrives. */
export function isBeginning(draft: string, text: string): boolean {
  return bare(text).startsWith(bare(draft));
}

/** Whether our text is in it, with something of somebody else's beside it. */
export function holdsOurs(draft: string, text: string): boolean {
  const ours = bare(text);
  return ours !== "" && bare(draft).includes(ours.slice(-maxLook));
}

/** A scrolled box shows the end of a long text; fewer signs than this could be anybody's. */
const minPart = 24;
const maxLook = 200;

// Wrapped rows lose their blanks and gain others; so does a box that indents.
function bare(text: string): string {
  return text.replace(/\s+/g, "");
}

// [Pasted text #1 +3 lines]  [Pasted Content 1234 chars]  [Pasted Text: 5 lines]  [Pasted ~5 lines]  [paste #1 +31 lines]
const mark = /^\[paste(?:d)?(?:text|content)?:?(?:#\d+)?[+~]?(\d+)(lines|chars)\]$/i;

function isPasteMark(shown: string, text: string): boolean {
  const [, count, unit] = mark.exec(shown) ?? [];
  if (count === undefined) return false;
  const expected = unit?.toLowerCase() === "chars" ? [...text].length : text.split(/\r\n|\r|\n/).length;
  return Math.abs(Number(count) - expected) <= (unit?.toLowerCase() === "chars" ? expected * 0.02 + 2 : 1);
}
