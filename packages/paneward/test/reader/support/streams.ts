import type { Random } from "../../../../tmux/test/support/random.ts";
import type { Size } from "../../../src/model/output/fold-grid.ts";

const csi = "\u001b[";
const words = [
  "a",
  "hello",
  "0123456789",
  "漢字",
  "é",
  "e\u0301",
  "👍",
  "─│",
  "  ",
  "x  y",
  "long words that are wrapped",
];

/** Output with every sequence that the reader understands, on either screen. */
export function anyStream(chance: Random, size: Size): string {
  let isAlternate = false;
  return streamOf(chance, [
    ...drawing(chance, size),
    () => `${csi}${1 + chance.below(size.rows)};${1 + chance.below(size.columns)}H`,
    () => `${csi}H${csi}2J`,
    // xterm 6.0.0 handles 1J wrongly at the end of a row, and crashes on the last one.
    () => chance.pick([`${csi}J`, `\r${csi}1J`, `${csi}2J`]),
    () => `${csi}${1 + chance.below(3)};${3 + chance.below(size.rows - 2)}r`,
    () => `${csi}r`,
    () => `${csi}${chance.below(3)}${chance.pick(["L", "M", "S", "T"])}`,
    () => chance.pick(["\u001bM", "\u001bD", "\u001bE"]),
    () => {
      isAlternate = !isAlternate;
      return `${csi}?1049${isAlternate ? "h" : "l"}`;
    },
    () => `${csi}4h12${csi}4l`,
    () => `\r${csi}?7labcdefghijklmnop${csi}?7h`,
    () => `${csi}2A\u001b7${csi}3G*${csi}1B+\u001b8`,
    () => `${csi}s${csi}2;3H!${csi}u`,
  ]);
}

/** Output that redraws rows on the screen, and removes rows only by scrolling. */
export function scrollingStream(chance: Random, size: Size): string {
  return streamOf(chance, drawing(chance, size));
}

function drawing(chance: Random, size: Size): readonly (() => string)[] {
  const word = () => chance.pick(words);
  return [
    word,
    word,
    word,
    () => `${word()}\r\n`,
    () => `${word()}\r\n`,
    () => chance.pick(["\r", "\n", "\b", "\t", "\r\n", "\u0007"]),
    () => `${csi}${chance.below(4)}${chance.pick(["A", "B", "C", "D", "E", "F"])}`,
    () => `${csi}${1 + chance.below(size.columns)}${chance.pick(["G", "`"])}`,
    () => `${csi}${chance.below(3)}K`,
    () => `${csi}${chance.below(4)}${chance.pick(["P", "@", "X"])}`,
    () => `${csi}${chance.below(2)};3${chance.below(8)}m`,
    () => `\u001b]0;${word()}\u0007`,
    () => `\u001b(0${chance.pick(["lqk", "x", "mqj"])}\u001b(B`,
    () => `-${csi}${chance.below(5)}b`,
  ];
}

function streamOf(chance: Random, parts: readonly (() => string)[]): string {
  return Array.from({ length: 1 + chance.below(60) }, () => chance.pick(parts)()).join("");
}

/** Output without redraws: text, colours, titles, line breaks. */
export function printedStream(chance: Random): string {
  return streamOf(chance, [
    () => chance.pick(words),
    () => `${chance.pick(words)} `,
    () => `${chance.pick(words)}\r\n`,
    () => "\r\n",
    () => "\t",
    () => `${csi}${chance.below(2)};3${chance.below(8)}m`,
    () => `\u001b]0;${chance.pick(words)}\u0007`,
    () => `\u001bP${chance.pick(words)}\u001b\\`,
    () => `\u001b(0${chance.pick(["lqk", "x", "mqj"])}\u001b(B`,
  ]);
}
