import type { ShownQuestion } from "../reading.ts";
import { regionOf } from "./wrapped.ts";

/**
 * By what a dialog is recognised: the lines of its question, as they are drawn at this width, and what of them stays the
 * same at any width. `first` is the line that its options begin with. A question of several may have a row above it that
 * shows which are answered: `←  ☒ Color  ☐ Size  ✔ Submit  →`.
 */
export function identityOf(
  lines: readonly string[],
  first: number,
  columns: number,
  isOfSeveral = false,
): Pick<ShownQuestion, "region" | "drawn"> {
  const body = lines.slice(0, first).map((line) => (isOfSeveral && progress.test(line) ? regionOf([line]) : line));
  const options = lines.slice(first).map((line) => line.replace(pointer, blank).replace(tick, "$1[ ]"));
  const text = [...body, ...options].map((line) => line.trimEnd()).join("\n");
  return { region: regionOf(lines), drawn: { columns, text } };
}

// Arrows move a pointer in front of the options, and Space ticks one. Above them, the same signs belong to what is asked.
const pointer = /^\s*[❯›●→▶](?=\s)/u;
const blank = (found: string) => " ".repeat(found.length);
const tick = /^(\s*\d{1,2}\.\s+)\[[ xX✔✓]\]/u;

const progress = /^\s*←\s.*\s→\s*$|^\s*[☐☒]\s/u;
