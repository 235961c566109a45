import type { Proposal } from "@paneward/sdk";
import type { ShownQuestion } from "../agent.ts";
import { byScreen, unproved } from "../proof.ts";
import { unwrapped } from "../screen/wrapped.ts";

/** A dialog of Codex's on the screen: the lines above its options, and where it begins. */
export interface DialogLines {
  readonly above: readonly string[];
  /** The last line that is not indented: everything in a dialog is, so it belongs to the conversation. -1: none is seen. */
  readonly edge: number;
  /** Its first line that looks like a headline of Codex's. */
  readonly start: number;
  /** How many lines look like one. The conversation or the command may contain some. */
  readonly headlines: number;
  readonly columns: number;
}

export const commandHeadline = "Would you like to run the following command?";

/**
 * The command of a dialog, as far as it is drawn. Codex draws no tabs and no control characters, and ends a dialog that
 * is higher than the screen with `[… 86 lines]`. The cell above the dialog repeats the first line with its tabs, so only
 * a command of one line can be compared with it.
 */
export function commandIn(
  dialog: DialogLines,
): Pick<ShownQuestion, "proposal" | "whole" | "doubt" | "cut" | "rows"> | undefined {
  const { above, start, columns } = dialog;
  const dollar = above.findIndex((line, index) => index > start && line.startsWith("  $ "));
  if (dollar < 0) return undefined;
  const drawn = above.slice(dollar);
  const [, total] = /^ {2}\[… (\d+) lines\]/.exec(drawn.at(-1) ?? "") ?? [];
  const rows = withoutBlankEnd(total === undefined ? drawn : drawn.slice(0, -1)).map((line) => line.slice(2));
  const command = unwrapped(rows, columns - 4).slice(2);
  const proposal: Proposal = { tool: "shell", command };
  const shown = { proposal, rows: { lines: rows, width: columns - 4, lead: "$ " } };
  if (total !== undefined) {
    const all = Number(total) - (dollar - start);
    return { ...shown, cut: "end", ...unproved(`Codex shows ${rows.length} of ${all} lines`) };
  }
  if (rows.length > 1)
    return { ...shown, ...unproved("Codex does not show tabs and line ends of a command that takes several rows") };
  return { ...shown, ...(isProved(dialog, dollar, command) ? byScreen : unproved(unseenEdge)) };
}

const unseenEdge = "the screen does not prove where Codex's dialog begins";

function isProved({ above, edge, start, headlines }: DialogLines, dollar: number, command: string): boolean {
  const [, cell] = /^[•◦] Running (.*)$/u.exec(above[edge] ?? "") ?? [];
  const between = above.slice(edge + 1, start).every((line) => line === "" || /^ +\+ Show details$/.test(line));
  return (
    headlines === 1 &&
    above[start] === `  ${commandHeadline}` &&
    between &&
    cell === command &&
    isHead(above.slice(start + 1, dollar)) &&
    above.at(-1) === ""
  );
}

// Between headline and command: where it would run, and the model's reason, which is one paragraph.
function isHead(lines: readonly string[]): boolean {
  const paragraphs = lines.join("\n").split(/\n{2,}/);
  return paragraphs.every((text) => text.trim() === "" || /^\n? {2}(Environment|Reason): /.test(text));
}

function withoutBlankEnd(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line !== "") + 1);
}
