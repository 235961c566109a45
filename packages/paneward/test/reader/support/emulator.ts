import { columnsOf } from "@paneward/sdk/text";
import type { Terminal as Emulator } from "@xterm/headless";
import xterm from "@xterm/headless";
import type { Size } from "../../../src/model/output/fold-grid.ts";

/** The lines that a real terminal emulator shows: wrapped rows joined, trailing spaces removed. */
export interface Shown {
  /** The scrollback, then the screen. */
  readonly all: readonly string[];
  readonly screen: readonly string[];
  /** Some lines were too long for a row. */
  readonly hasWrapped: boolean;
}

export async function emulate(bytes: Uint8Array, size: Size): Promise<Shown> {
  const emulator = new xterm.Terminal({
    cols: size.columns,
    rows: size.rows,
    scrollback: 50_000,
    allowProposedApi: true,
  });
  emulator.unicode.register(ourWidths);
  emulator.unicode.activeVersion = ourWidths.version;
  await new Promise<void>((done) => emulator.write(bytes, done));
  const { active } = emulator.buffer;
  const shown = {
    all: linesOf(emulator, 0),
    screen: linesOf(emulator, active.baseY),
    hasWrapped: Array.from({ length: active.length }).some((_, at) => active.getLine(at)?.isWrapped),
  };
  emulator.dispose();
  return shown;
}

// By default xterm counts emoji as one column, as old terminals did.
const ourWidths = {
  version: "ours",
  wcwidth: (code: number) => columnsOf(code) as 0 | 1 | 2,
  charProperties(code: number, preceding: number): number {
    const width = columnsOf(code);
    const before = (preceding >> 1) & 3;
    const joins = width === 0 && preceding !== 0 && before > 0;
    return ((joins ? Math.max(width, before) : width) << 1) | (joins ? 1 : 0);
  },
};

// Down to the last non-empty row.
function linesOf(emulator: Emulator, from: number): readonly string[] {
  const { active } = emulator.buffer;
  const lines: string[] = [];
  for (let at = from; at < active.baseY + emulator.rows; at++) {
    const row = active.getLine(at);
    const text = row?.translateToString(true) ?? "";
    if (row?.isWrapped && lines.length > 0) lines.push(`${lines.pop()}${text}`);
    else lines.push(text);
  }
  const trimmed = lines.map((line) => line.replace(/ +$/, ""));
  return trimmed.slice(0, trimmed.findLastIndex((line) => line !== "") + 1);
}
