// No 0 and O, no 1, I and L, no U beside V.
const alphabet = "23456789ABCDEFGHJKMNPQRSTVWXYZ";
const length = 8;

/** A code that people read from one screen and type on another: 39 bits. */
export function makeCode(below: (limit: number) => number): string {
  return Array.from({ length }, () => alphabet[below(alphabet.length)]).join("");
}

/** As it is shown: `ABCD-2345`. */
export function groupCode(code: string): string {
  return `${code.slice(0, length / 2)}-${code.slice(length / 2)}`;
}

/** The code that somebody typed, in whatever case, width and grouping; undefined if it cannot be one. */
export function readCode(typed: string): string | undefined {
  if (typed.length > maxTyped) return undefined;
  const code = typed.normalize("NFKC").replace(between, "").toUpperCase();
  return code.length === length && [...code].every((letter) => alphabet.includes(letter)) ? code : undefined;
}

const maxTyped = 100;
// Keyboards of phones make other dashes and spaces.
const between = /[\s\p{Pd}\p{Zs}._\u200b-\u200f\u2060\ufeff]/gu;

/** What the device shows and a person types at the terminal, so that one confirms no other device than one's own. */
export function makeNumber(below: (limit: number) => number): string {
  return String(below(10_000)).padStart(4, "0");
}
