import type { Question } from "@paneward/sdk";
import { type Area, type LayoutInput, layoutOf } from "./layout.ts";
import { wrapLine } from "./wrap.ts";

export interface QuestionLine {
  readonly text: string;
  readonly kind: "question" | "proposed" | "added" | "removed" | "around";
}

/** The question and what it would do, wrapped to this width. Nothing is omitted: users must see what they approve. */
export function questionLines({ text, proposal = {} }: Question, width: number): readonly QuestionLine[] {
  const { tool, command, path, diff, more } = proposal;
  const labelled = (label: string, value: string | undefined) => (value ? linesOf(label + value, "proposed") : []);
  const lines = [
    ...linesOf(text.trim(), "question"),
    ...labelled("with ", tool),
    ...labelled("would run: ", command),
    ...labelled("would change: ", path),
    ...(diff ? diff.split("\n").map((line) => ({ text: line, kind: kindOf(line) })) : []),
    ...labelled("", more),
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

function linesOf(text: string, kind: QuestionLine["kind"]): readonly QuestionLine[] {
  return text.split("\n").map((line) => ({ text: line, kind }));
}

function kindOf(line: string): QuestionLine["kind"] {
  return line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "around";
}
