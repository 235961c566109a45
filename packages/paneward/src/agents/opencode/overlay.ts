import type { ScreenReading, ScreenView } from "../agent.ts";
import { regionOf } from "../screen/wrapped.ts";

/**
 * A list that is drawn over the middle of the screen, such as its commands (C-p) or its agents:
 *
 *   Select agent          esc
 *
 *   Search
 *
 *   build native
 *
 * Or a message, such as its status or its help, which has less room at its sides:
 *
 *   Help                                           esc/enter
 *
 *   Press ctrl+p to see all available actions and commands
 *
 * It takes all keys, while the input line stays visible below it: a text would be searched for, and Enter would choose. Only
 * colour shows its pointer, so it cannot be answered by a number.
 */
export function readOverlay({ lines, columns }: ScreenView): ScreenReading | undefined {
  for (const width of new Set(widths.map((one) => Math.min(one, columns - 2)))) {
    const left = Math.floor((columns - width) / 2);
    const panel = lines.map((line) => line.slice(left, left + width).padEnd(width));
    const top = panel.findLastIndex((row, at) => isTitle(row) && isBlank(panel[at + 1]) && isText(panel[at + 2]));
    const text = panel[top]?.trim().replace(/\s+esc(\/enter)?$/, "");
    if (text === undefined) continue;
    const region = regionOf([text]);
    const question = { kind: "choice", text, options: [], freeText: false, region } as const;
    return { says: "needs_input", rule: "a list is open over its input line", question };
  }
  return undefined;
}

// Of its dialogs, on a screen that is wide enough.
const widths = [60, 88, 116];

function isTitle(row: string): boolean {
  return /^( {2}| {4})\S.*? {2,}esc(?:\/enter)?\1$/.test(row);
}

function isBlank(row: string | undefined): boolean {
  return row?.trim() === "";
}

// What is searched for, or the word Search; or the message.
function isText(row: string | undefined): boolean {
  return /^( {2}| {4})\S.*\1$/.test(row ?? "");
}
