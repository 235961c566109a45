import type { Question } from "@paneward/sdk";
import { askedWords, doubtWords, reportedWords } from "@paneward/sdk/view";
import { plainText } from "../draw/escapes.ts";
import { type Area, type LayoutInput, layoutOf } from "./layout.ts";
import type { State } from "./state.ts";
import { wrapLine } from "./wrap.ts";

export interface QuestionLine {
  readonly text: string;
  readonly kind: "question" | "proposed" | "added" | "removed" | "around";
}

/**
 * The question and what it would do, wrapped to this width. Nothing is omitted: users must see what they approve. What is
 * not proved whole is followed by the terminal's own screen.
 */
export function questionLines(
  question: Question,
  width: number,
  screen: readonly string[] | undefined,
): readonly QuestionLine[] {
  const { tool, command, path, diff, more } = question.proposal ?? {};
  const labelled = (label: string, value: string | undefined) => (value ? linesOf(label + value, "proposed") : []);
  const lines = [
    ...linesOf(askedWords(question).trim(), "question"),
    ...labelled("with ", tool),
    ...labelled("would run: ", command),
    ...labelled("would change: ", path),
    ...(diff ? diff.split("\n").map((line) => ({ text: line, kind: kindOf(line) })) : []),
    ...labelled("", more),
    ...labelled("", reportedWords(question)),
    ...labelled("", doubtWords(question)),
    ...screenLines(question, screen),
  ];
  return lines.flatMap(({ text: line, kind }) => wrapLine(line, width).map((part) => ({ text: part, kind })));
}

/** Where a question is drawn: over the screen, or over the list if there is no room for both. */
export function answerArea(state: LayoutInput): Area {
  const { live, table } = layoutOf(state);
  return live ?? table;
}

/** How many lines of the question fit above the choices, and how wide they are. */
export function questionRoom(area: Area, choices: number): { readonly rows: number; readonly columns: number } {
  return { rows: Math.max(1, area.bottom - area.y - 1 - choices), columns: Math.max(2, area.end - area.x - 2) };
}

/** Which of the lines are drawn, and the number of the first one. */
export function drawnLines(
  lines: readonly QuestionLine[],
  top: number,
  rows: number,
): { readonly first: number; readonly drawn: readonly QuestionLine[] } {
  const first = Math.min(top, lastTop(lines, rows));
  return { first, drawn: lines.slice(first, first + rows) };
}

/** How far the lines can be scrolled. */
export function lastTop(lines: readonly QuestionLine[], rows: number): number {
  return Math.max(0, lines.length - rows);
}

/** The screen of the terminal that asks, where a person must read it and can. */
export function screenToRead(
  { whole, terminal }: Question,
  { live, ...layout }: LayoutInput & Pick<State, "live">,
): readonly string[] | undefined {
  return whole === false && live?.terminal === terminal && layoutOf(layout).live ? live.lines : undefined;
}

function screenLines({ whole }: Question, screen: readonly string[] | undefined): readonly QuestionLine[] {
  if (whole !== false) return [];
  if (!screen) return linesOf("its screen is not shown here: attach to it to allow this", "question");
  const lines = screen.map(plainText);
  const end = lines.findLastIndex((line) => line.trim() !== "");
  const shown = lines.slice(0, end + 1).map((line) => ({ text: line, kind: "around" as const }));
  return [...linesOf("its screen:", "question"), ...shown];
}

function linesOf(text: string, kind: QuestionLine["kind"]): readonly QuestionLine[] {
  return text.split("\n").map((line) => ({ text: line, kind }));
}

function kindOf(line: string): QuestionLine["kind"] {
  return line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "around";
}
