import { deniesWithWords, type Row, takesText } from "@paneward/sdk/view";
import { type Answering, choicesOf } from "../state/answer-keys.ts";
import type { Area } from "../state/layout.ts";
import { drawnLines, questionLines, questionRoom } from "../state/question-lines.ts";
import type { Canvas } from "./canvas.ts";
import { drawLineEditor } from "./draw-bars.ts";
import { block, look, rule } from "./style.ts";

/** A question: its text, what it would do, and the options. */
export function drawAnswer(
  canvas: Canvas,
  area: Area,
  mode: Answering,
  row: Row | undefined,
  screen: readonly string[] | undefined,
): void {
  const { question } = mode;
  for (let y = area.y; y < area.bottom; y++) canvas.fill(area.x, y, area.end, look.plain);
  if (area.x > 0) for (let y = area.y; y < area.bottom; y++) canvas.put(area.x - 1, y, "│", rule);
  canvas.fill(area.x, area.y, area.end, rule, "─");
  const at = canvas.put(area.x + 1, area.y, ` ${titles[question.kind]} `, look.wants, area.end);
  if (row) canvas.putCut(at, area.y, ` ${row.id} ${row.name} `, look.bold, area.end);
  drawChoices(canvas, area, drawQuestion(canvas, area, mode, screen), mode);
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

const blocks = { question: "", proposed: "", added: block.added, removed: block.removed, around: "" } as const;

/** Returns the row below. */
function drawQuestion(
  canvas: Canvas,
  area: Area,
  { question, top }: Answering,
  screen: readonly string[] | undefined,
): number {
  const { rows, columns } = questionRoom(area, choicesOf(question));
  const lines = questionLines(question, columns, screen);
  const { first, drawn: shown } = drawnLines(lines, top, rows);
  for (const [at, { text, kind }] of shown.entries()) {
    const y = area.y + 1 + at;
    canvas.put(area.x, y, " ", blocks[kind]);
    canvas.put(area.x + 1, y, text, kind === "question" ? look.bold : look.plain, area.end);
  }
  if (lines.length > rows) {
    const place = ` ${first + 1}-${first + shown.length} of ${lines.length}: PageDown PageUp `;
    canvas.put(Math.max(area.x, area.end - place.length - 1), area.y, place, look.plain, area.end);
  }
  // An empty line before the options, if there is room.
  return area.y + 1 + shown.length + Number(lines.length < rows);
}

function drawChoices(canvas: Canvas, area: Area, top: number, mode: Answering): void {
  const { question, at } = mode;
  const last = area.bottom - 1;
  // With little room, the selected option stays visible.
  const first = Math.max(0, at - Math.max(0, last - top));
  let y = top;
  for (let number = first; number < question.options.length && y <= last; number++) {
    const style = number === at ? look.selected : look.plain;
    canvas.putCut(area.x + 1, y++, optionText(mode, number), style, area.end);
  }
  if (takesText(question) && y <= last) drawTextAnswer(canvas, area, y, mode);
}

function optionText({ question, at, ticked }: Answering, number: number): string {
  const option = question.options[number];
  if (!option) return "";
  const box = question.kind !== "multi_choice" ? "" : ticked.includes(option.number) ? "[x] " : "[ ] ";
  const more = option.description ? `  ${option.description}` : "";
  return `${number === at ? "❯" : " "} ${option.key ?? option.number} ${box}${option.label}${more}`;
}

function drawTextAnswer(canvas: Canvas, { x, end }: Area, y: number, { question, at, line }: Answering): void {
  const { before, after } =
    question.kind === "password" ? { before: dots(line.before), after: dots(line.after) } : line;
  const words = deniesWithWords(question)
    ? "no, because: "
    : question.kind === "password"
      ? "the password: "
      : "your answer: ";
  if (at >= question.options.length) drawLineEditor(canvas, y, end, `❯ ${words}`, { before, after }, x + 1);
  else canvas.put(x + 1, y, `  ${words}${before}${after}`, look.plain, end);
}

function dots(text: string): string {
  return "•".repeat([...text].length);
}
