import { eastAsianWidth } from "get-east-asian-width";

/** How many columns a terminal gives a character: 0 to controls and to marks that join the one before, 2 to wide ones. */
export function columnsOf(code: number): number {
  if (code < firstMark) return code < 0x20 || (code > 0x7e && code < 0xa0) ? 0 : 1;
  if (code > lastOfPlane) return measured(code);
  const known = cache[code] ?? 0;
  if (known > 0) return known - 1;
  const width = measured(code);
  cache[code] = width + 1;
  return width;
}

const firstMark = 0x300;
const lastOfPlane = 0xffff;
const cache = new Uint8Array(lastOfPlane + 1);

// The vowels and endings of Korean syllables in pieces are letters, and drawn into the wide one that begins them.
const joins = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff\ud7b0-\ud7fb]$/u;

function measured(code: number): number {
  return joins.test(String.fromCodePoint(code)) ? 0 : eastAsianWidth(code);
}
