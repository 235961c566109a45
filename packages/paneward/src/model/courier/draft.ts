/** Whether an input line shows what we typed there. Boxes wrap, scroll, and draw a long paste as a mark. */
export function isOurs(draft: string, text: string, mark?: RegExp): boolean {
  const shown = bare(draft);
  const ours = bare(text);
  if (shown === "" || ours === "") return false;
  if (shown === ours) return true;
  if (shown.length >= minPart && ours.endsWith(shown)) return true;
  return isPasteMark(shown, text, mark) || isWithLeftovers(draft, text);
}

/** Whether the draft is a paste mark that the program draws in place of our text. */
export function isMarkOfOurs(draft: string, text: string, mark: RegExp | undefined): boolean {
  return isPasteMark(bare(draft), text, mark);
}

/** Whether the draft is the beginning of our text: a program draws while text still arrives. */
export function isBeginning(draft: string, text: string): boolean {
  const shown = bare(draft);
  return shown === unlike || bare(text).startsWith(shown);
}

/** Whether the draft contains our text, possibly with other text around it. */
export function holdsOurs(draft: string, text: string): boolean {
  const ours = bare(text);
  return ours !== "" && bare(draft).includes(ours.slice(-maxLook));
}

/** A scrolled box shows the end of a long text; fewer characters than this could be another text. */
const minPart = 24;
const maxLook = 200;
/** A mark without a count stands for a long text: Claude Code draws one from 801 characters on, pi from 1,001. */
const minUncounted = 400;

/**
 * What every terminal draws alike. Wrapping and indenting change blanks; tmux and the agents draw joiners, marks that
 * combine, pictures and flags in one cell or two or not at all, and letters from right to left in either order.
 */
function bare(text: string): string {
  const drawn = withoutUnlike(text);
  // A text of such characters only still differs from an empty line.
  return drawn === "" && /\S/.test(text) ? unlike : drawn;
}

const unlike = "\ufffd";

/**
 * opencode counts more cells than tmux for a joiner, a selector or a mark of direction, and skips them: behind ❤️ stays what was
 * there before, such as two letters of its "Ask anything".
 */
function isWithLeftovers(draft: string, text: string): boolean {
  const [first, drawn] = [text.search(miscounted), draft.search(miscounted)];
  const before = withoutUnlike(text.slice(0, first));
  if (first < 0 || drawn < 0 || withoutUnlike(draft.slice(0, drawn)) !== before) return false;
  const [shown, ours] = [withoutUnlike(draft), withoutUnlike(text)];
  let extra = 2 * [...text].filter((one) => one.search(miscounted) >= 0).length;
  let at = before.length;
  for (let next = at; next < ours.length; at += 1) {
    if (shown[at] === ours[next]) next += 1;
    else if (at >= shown.length || extra-- === 0) return false;
  }
  return shown.length - at <= extra;
}

const miscounted = /\p{Cf}|\p{Emoji_Modifier}|\ufe0f/u;

function withoutUnlike(text: string): string {
  return text.normalize("NFC").replaceAll(drawnUnlike, "");
}

const drawnUnlike =
  /[\s\p{Cf}\p{M}\p{Extended_Pictographic}\p{Regional_Indicator}\p{Emoji_Modifier}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\ufffd]/gu;

// Programs count lines or the breaks between them, and characters of more than one kind.
function isPasteMark(shown: string, text: string, mark: RegExp | undefined): boolean {
  const [isMark, count, unit] = mark?.exec(shown) ?? [];
  if (isMark === undefined) return false;
  if (count === undefined) return text.length >= minUncounted;
  const isAbout = (expected: number, by: number) => Math.abs(Number(count) - expected) <= by;
  // Some leave out the empty lines at the ends.
  if (unit !== "chars") return [text, text.trim()].some((one) => isAbout(one.split(/\r\n|\r|\n/).length, 1));
  // Emoji count differently in each language that agents are written in.
  return [text.length, [...text].length].some((expected) => isAbout(expected, expected * 0.02 + 2));
}
