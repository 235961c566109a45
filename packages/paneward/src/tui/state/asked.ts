import type { Question } from "@paneward/sdk";
import { type Area, layoutOf, type Shaping } from "./layout.ts";
import { wrapped } from "./wrap.ts";

export interface AskedLine {
  readonly text: string;
  readonly kind: "asked" | "proposed" | "added" | "removed" | "around";
}

/** What is asked and what would be done, as lines of this width. Nothing is left out: what is approved must be seen. */
export function askedLines({ text, proposal = {} }: Question, width: number): readonly AskedLine[] {
  const { tool, command, path, diff, more } = proposal;
  const labelled = (label: string, value: string | undefined) => (value ? linesOf(label + value, "proposed") : []);
  const lines = [
    ...linesOf(text.trim(), "asked"),
    ...labelled("with ", tool),
    ...labelled("would run: ", command),
    ...labelled("would change: ", path),
    ...(diff ? diff.split("\n").map((line) => ({ text: line, kind: kindOf(line) })) : []),
    ...labelled("", more),
  ];
  return lines.flatMap(({ text: line, kind }) => wrapped(line, width).map((part) => ({ text: part, kind })));
}

/** Where a question is shown: in the place of the screen, or of the list where there is no room for both. */
export function answerArea(state: Shaping): Area {
  const { live, table } = layoutOf(state);
  return live ?? table;
}

/** How many lines of what is asked can be seen above the choices, and how wide they are. */
export function askedRoom(area: Area, choices: number): { readonly rows: number; readonly columns: number } {
  return { rows: Math.max(1, area.bottom - area.y - 1 - choices), columns: Math.max(2, area.end - area.x - 2) };
}

function linesOf(text: string, kind: AskedLine["kind"]): readonly AskedLine[] {
  return text.split("\n").map((line) => ({ text: line, kind }));
}

function kindOf(line: string): AskedLine["kind"] {
  return line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "around";
}
