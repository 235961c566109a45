import { renderUnicodeCompact } from "uqr";
import { painted } from "./exit.ts";

/** A QR code as lines of a terminal; undefined where it has no room, or no half blocks to be drawn with. */
export function qrLines(text: string, columns: number, env: NodeJS.ProcessEnv): readonly string[] | undefined {
  if (!/utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || "")) return undefined;
  const lines = renderUnicodeCompact(text, { ecc: "L", border: 2 }).split("\n");
  if (lines.some((line) => line.length > columns)) return undefined;
  // Light on dark whatever the terminal's own colours are: cameras read an inverted code badly.
  return lines.map((line) => painted(white, painted(onBlack, line)));
}

const white = 97;
const onBlack = 40;
