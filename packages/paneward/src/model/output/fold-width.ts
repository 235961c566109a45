/** How many columns a character takes, as tmux counts: 0 for marks that join the one before, 2 for wide ones. */
export function widthOf(code: number): number {
  if (code < firstZeroWidth) return 1;
  if (code > lastOfPlane) return measured(code);
  const known = cache[code] ?? 0;
  if (known > 0) return known - 1;
  const width = measured(code);
  cache[code] = width + 1;
  return width;
}

const firstZeroWidth = 0x300;
const lastOfPlane = 0xffff;
const cache = new Uint8Array(lastOfPlane + 1);

const joins = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]$/u;
// A flag is two letters of one column each.
const isEmoji = /^(?!\p{Regional_Indicator})\p{Emoji_Presentation}$/u;

function measured(code: number): number {
  const char = String.fromCodePoint(code);
  if (joins.test(char)) return 0;
  return isWide(code) || isEmoji.test(char) ? 2 : 1;
}

// The blocks of East Asian width W and F; wide symbols outside of them are emoji.
const wide: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18cff],
  [0x1aff0, 0x1b2ff],
  [0x1f200, 0x1f2ff],
  [0x20000, 0x3fffd],
];

function isWide(code: number): boolean {
  return wide.some(([from, to]) => code >= from && code <= to);
}
