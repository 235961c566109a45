import type { Depth } from "./style.ts";

export interface Piece {
  readonly text: string;
  readonly style: string;
}

/** Splits a line with escape sequences into pieces of one style each. */
export function piecesOf(line: string, depth: Depth): readonly Piece[] {
  const pieces: Piece[] = [];
  let look = plain;
  let drawing = false;
  for (const [, sequence, command, shift, text] of line.matchAll(parts)) {
    if (command === "m") look = changedBy(look, sequence ?? "", depth);
    else if (shift !== undefined) drawing = shift === "\u000e";
    else if (text) pieces.push({ text: drawing ? drawn(text) : text, style: styleOf(look) });
  }
  return pieces;
}

/** The characters of a line, without its escape sequences. */
export function plainText(line: string): string {
  return piecesOf(line, "none")
    .map(({ text }) => text)
    .join("");
}

// CSI, OSC (hyperlinks), shifts into and out of the line-drawing character set, text.
const parts =
  /\u001b\[([0-9;:?]*)[ -/]*([@-~])|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|([\u000e\u000f])|([^\u001b\u000e\u000f]+)|\u001b/g;

interface Look {
  readonly weights: ReadonlySet<string>;
  readonly front: string;
  readonly back: string;
}

const plain: Look = { weights: new Set(), front: "", back: "" };

function styleOf({ weights, front, back }: Look): string {
  return [...weights, front, back].filter((part) => part !== "").join(";");
}

function changedBy(before: Look, sequence: string, depth: Depth): Look {
  const codes = sequence.split(/[;:]/).map((code) => Number.parseInt(code, 10) || 0);
  let look = before;
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code === 38 || code === 48) {
      const [colour, used] = extended(codes.slice(at + 1), code === 48, depth);
      look = code === 38 ? { ...look, front: colour } : { ...look, back: colour };
      at += used;
    } else look = changedByOne(look, code, depth);
  }
  return look;
}

function changedByOne(look: Look, code: number, depth: Depth): Look {
  if (code === 0) return plain;
  if (code >= 1 && code <= 9) return { ...look, weights: new Set([...look.weights, String(code)]) };
  if (code >= 21 && code <= 29) return { ...look, weights: without(look.weights, code) };
  if (code === 39) return { ...look, front: "" };
  if (code === 49) return { ...look, back: "" };
  if (depth === "none") return look;
  if (isFront(code)) return { ...look, front: String(code) };
  return isFront(code - 10) ? { ...look, back: String(code) } : look;
}

function isFront(code: number): boolean {
  return (code >= 30 && code <= 37) || (code >= 90 && code <= 97);
}

// 22 turns off bold and dim; each other code turns off the one with its last digit.
function without(weights: ReadonlySet<string>, code: number): ReadonlySet<string> {
  const ends = code === 22 || code === 21 ? ["1", "2"] : [String(code - 20)];
  return new Set([...weights].filter((weight) => !ends.includes(weight)));
}

function extended(rest: readonly number[], isBack: boolean, depth: Depth): readonly [string, number] {
  const [kind, first = 0, second = 0, third = 0] = rest;
  const used = kind === 5 ? 2 : kind === 2 ? 4 : 0;
  if (depth === "none" || used === 0) return ["", used];
  if (depth === "256") return [`${isBack ? 48 : 38};${rest.slice(0, used).join(";")}`, used];
  const named = kind === 5 ? nearestOf256(first) : nearestOf(first, second, third);
  return [String((named < 8 ? 30 + named : 82 + named) + (isBack ? 10 : 0)), used];
}

function nearestOf256(index: number): number {
  if (index < 16) return index;
  if (index >= 232) return nearestOf(...([8, 8, 8].map((one) => one + 10 * (index - 232)) as [number, number, number]));
  const level = (at: number) => Math.floor((index - 16) / 6 ** at) % 6;
  const bright = (at: number) => (level(at) === 0 ? 0 : 55 + 40 * level(at));
  return nearestOf(bright(2), bright(1), bright(0));
}

// By which of red, green and blue are strong, and by brightness.
function nearestOf(red: number, green: number, blue: number): number {
  const max = Math.max(red, green, blue);
  if (max < 48) return 0;
  const bit = (part: number, value: number) => (part > max * 0.6 ? value : 0);
  const colour = bit(red, 1) + bit(green, 2) + bit(blue, 4);
  if (colour === 7) return max < 120 ? 8 : max < 220 ? 7 : 15;
  return max > 200 ? colour + 8 : colour;
}

const lines: Readonly<Record<string, string>> = {
  j: "┘",
  k: "┐",
  l: "┌",
  m: "└",
  n: "┼",
  q: "─",
  t: "├",
  u: "┤",
  v: "┴",
  w: "┬",
  x: "│",
};

function drawn(text: string): string {
  return text.replace(/[j-nqt-x]/g, (letter) => lines[letter] ?? letter);
}
