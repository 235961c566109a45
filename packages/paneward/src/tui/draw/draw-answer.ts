import type { Question } from "@paneward/sdk";
import { takesWords } from "../state/answer-keys.ts";
import type { Area } from "../state/layout.ts";
import type { Mode } from "../state/state.ts";
import type { Canvas } from "./canvas.ts";
import { drawWritten } from "./draw-bars.ts";
import { look } from "./style.ts";

/** A question: what is asked, what would be done, and the answers to choose from. */
export function drawAnswer(canvas: Canvas, area: Area, mode: Extract<Mode, { kind: "answer" }>): void {
  const { question, at, line } = mode;
  for (let y = area.y; y < area.bottom; y++) canvas.fill(area.x, y, area.end, look.plain);
  canvas.fill(area.x, area.y, area.end, look.wants, "─");
  canvas.put(area.x + 1, area.y, ` ${titles[question.kind]} `, look.wants, area.end);
  const choices = question.options.length + Number(takesWords(question));
  const room = Math.max(1, area.bottom - area.y - 1 - choices);
  const above = [
    ...question.text
      .trim()
      .split("\n")
      .map((text) => [text, look.bold] as const),
    ...proposed(question),
  ];
  let y = area.y + 1;
  for (const [text, style] of above.slice(0, room)) canvas.putCut(area.x + 1, y++, text, style, area.end);
  if (above.length > room) canvas.put(area.end - 2, y - 1, "…", look.dim);
  for (const [number, option] of question.options.entries()) {
    const text = `${number === at ? "❯" : " "} ${option.key ?? option.number} ${option.label}${option.description ? `  ${option.description}` : ""}`;
    canvas.putCut(area.x + 1, y++, text, number === at ? look.selected : look.plain, area.end);
  }
  if (!takesWords(question)) return;
  const isHere = at >= question.options.length;
  if (isHere) drawWritten(canvas, Math.min(y, area.bottom - 1), area.end, "❯ in your words: ", line, area.x + 1);
  else canvas.put(area.x + 1, y, `  in your words: ${line.before}${line.after}`, look.dim, area.end);
}

const titles = {
  permission: "permission",
  choice: "choose one",
  multi_choice: "choose",
  plan: "a plan",
  text: "a question",
  confirm: "yes or no",
  password: "a password",
  press_key: "a key",
} as const;

function proposed({ proposal }: Question): readonly (readonly [string, string])[] {
  if (!proposal) return [];
  const { tool, command, path, diff, more } = proposal;
  const lines = (label: string, text: string | undefined) =>
    (text ?? "")
      .split("\n")
      .flatMap((line, at) => (text ? [[`${at === 0 ? label : "  "}${line}`, look.plain] as const] : []));
  return [
    ...lines("with ", tool),
    ...lines("would run: ", command),
    ...lines("would change: ", path),
    ...(diff ?? "").split("\n").flatMap((line) => (diff ? [[line, diffStyle(line)] as const] : [])),
    ...lines("", more),
  ];
}

function diffStyle(line: string): string {
  return line.startsWith("+") ? look.added : line.startsWith("-") ? look.removed : look.dim;
}
