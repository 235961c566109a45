import { widthOf } from "@paneward/sdk/text";
import type { ScreenReading, ScreenView, ShownQuestion } from "../agent.ts";
import { linesAbove, trimmed, unwrapped } from "../screen/wrapped.ts";
import { readOpencodeDialog } from "./dialog.ts";
import { readOverlay } from "./overlay.ts";

/**
 * opencode 1.18's screen. Each block has a bar at its left; the last block is the input line or a dialog:
 *
 *   ┃
 *   ┃  half a thought
 *   ┃
 *   ┃  Build · Model Provider
 *   ╹▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
 *    ⬝⬝⬝■■■⬝⬝  esc interrupt
 */
export function readOpencodeScreen(view: ScreenView): ScreenReading | undefined {
  const overlay = readOverlay(view);
  if (overlay) return overlay;
  const lines = trimmed(view.lines);
  const { top, foot, inside } = lineIn(lines);
  if (foot < 0) return asking(readOpencodeDialog(lines, view.columns));
  const text = inside.slice(0, -1).join("\n").trim();
  const width = (lines[foot] ?? "").trim().length - 4;
  const draft = /^(Ask anything|Run a command)…/.test(text) ? "" : unwrapped(text.split("\n"), width);
  const footer = lines.slice(foot + 1).join(" ");
  // In shell mode a submitted text runs as a command. As a draft, the `!` keeps ours out.
  const isShell = /esc exit shell mode/.test(footer) || /^\s*Shell$/.test(inside.at(-1) ?? "");
  return { ...atPrompt(lines, top, footer), draft: isShell ? `!${draft}` : draft, inShell: isShell };
}

/** The agent and the model that would get what is in the input line; undefined when that cannot be seen. */
export function chosenOn(view: ScreenView): string | undefined {
  if (readOverlay(view)) return undefined;
  const { foot, inside } = lineIn(trimmed(view.lines));
  return foot < 0 ? undefined : inside.at(-1)?.trim().replaceAll(/ +/g, " ");
}

function lineIn(lines: readonly string[]) {
  const foot = lines.findLastIndex((line) => /^\s*╹▀{10,}/.test(line));
  const width = widthOf(/^\s*╹▀*/.exec(lines[foot] ?? "")?.[0] ?? "");
  const row = (at: number) => within(lines[at] ?? "", width);
  // The list that completes `/` and `@` stands on the input line, and has a bar at its right as well.
  const isInside = (line: string) => /^\s*┃/.test(line) && !(line.endsWith("┃") && widthOf(line) === width);
  let top = Math.max(0, foot);
  while (top > 0 && isInside(row(top - 1))) top -= 1;
  const rows = Array.from({ length: Math.max(0, foot - top) }, (_, at) => row(top + at));
  return { top, foot, inside: rows.map((line) => line.replace(/^\s*┃ {0,2}/, "")) };
}

// On a wide screen something else stands at its right, behind a gap. Other lines that seem too long hold emoji.
function within(line: string, width: number): string {
  if (widthOf(line) <= width) return line;
  const atEdge = [...line.matchAll(/ {3,}/g)].find(({ index, 0: gap }) => {
    const before = widthOf(line.slice(0, index));
    return before <= width && before + gap.length > width;
  });
  return atEdge ? line.slice(0, atEdge.index) : line;
}

function asking(question: ShownQuestion | undefined): ScreenReading | undefined {
  return question && { says: "needs_input", rule: `a ${question.kind} dialog is open`, question };
}

function atPrompt(lines: readonly string[], top: number, footer: string): Omit<ScreenReading, "draft"> {
  if (/esc (again to )?interrupt/.test(footer) || /[■⬝]{4,}/.test(footer)) {
    return { says: "working", rule: "its bar moves, Escape interrupts" };
  }
  return { says: "idle", rule: "its input line waits", ...deadEnd(linesAbove(lines, top, 8)) };
}

// An error has its own bar, right above the line that names the model.
function deadEnd(above: readonly string[]): Pick<ScreenReading, "detail"> {
  const end = above.findLastIndex((line) => /^\s*▣/.test(line));
  const before = above.slice(0, end);
  const error = before.slice(before.findLastIndex((line) => !/^\s*┃/.test(line)) + 1).join(" ");
  if (/invalid.*key|unauthori[sz]ed|authentication/i.test(error)) return { detail: "login_expired" };
  return /quota|usage limit|insufficient (credit|balance)/i.test(error) ? { detail: "quota_reached" } : {};
}
