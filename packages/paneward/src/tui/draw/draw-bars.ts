import { ageOf, restoreWords, widthOf } from "@paneward/sdk/text";
import { countsOf, needWords, type Row } from "@paneward/sdk/view";
import type { Area } from "../state/layout.ts";
import type { Line } from "../state/line-editor.ts";
import { listed } from "../state/lines.ts";
import { offeredKeys } from "../state/offered-keys.ts";
import type { Message, State } from "../state/state.ts";
import type { Canvas } from "./canvas.ts";
import { needsYouText } from "./draw-table.ts";
import { block, look } from "./style.ts";

/** Counts, filters and order, and the state of the connection. */
export function drawTitle(canvas: Canvas, { y, end }: Area, state: State): void {
  const { needMe, running, idle } = countsOf(listed(state).rows);
  const { filter, needsMe, sort, completed } = state.arrangement;
  const shown = [
    filter === "" ? "" : `/${filter}`,
    needsMe ? "needs me" : "",
    completed ? "with completed" : "",
    sort === "attention" ? "" : `by ${sort}`,
    state.access.address ?? "",
    scopeText(state.access.scope),
  ].filter((part) => part !== "");
  canvas.fill(0, y, end, look.title);
  const badge = badgeOf(state);
  const room = end - widthOf(badge) - 1;
  let at = canvas.putCut(0, y, " paneward ", look.title, room);
  at = canvas.putCut(at, y, ` ${needsYouText(needMe)} `, needMe > 0 ? look.wants : look.title, room);
  const rest = ` ${running} running  ${idle} idle${shown.map((part) => `  [${part}]`).join("")}`;
  canvas.putCut(at, y, rest, look.title, room);
  canvas.put(Math.max(0, end - widthOf(badge)), y, badge, look.wants);
}

function scopeText(scope: State["access"]["scope"]): string {
  if (scope === undefined || scope === "admin") return "";
  return scope === "read" ? "read only" : `scope ${scope}`;
}

function badgeOf({ view: { connection }, now }: State): string {
  if (connection.kind === "connected") return "";
  if (connection.kind === "connecting") return " connecting … ";
  return ` reconnecting (${ageOf(connection.since, now)}) … `;
}

/** What needs the user; or else the line being typed, a confirmation, or the last message. */
export function drawNeeds(canvas: Canvas, { y, end }: Area, state: State): void {
  const { mode, message } = state;
  if (mode.kind === "write") return void drawLineEditor(canvas, y, end, `${mode.title}: `, mode.line);
  if (mode.kind === "filter") return void drawLineEditor(canvas, y, end, "/", mode.line);
  if (mode.kind === "confirm") return void canvas.putCut(1, y, `${mode.question} (y/n)`, look.wants, end);
  if (message) return void drawMessage(canvas, y, end, message);
  const waiting = listed(state).rows.filter((row) => row.needsMe);
  const [first] = waiting.toSorted((a, b) => a.why.since - b.why.since);
  if (!first) {
    drawLost(canvas, y, end, state);
    return;
  }
  const more = waiting.length === 1 ? "" : `  and ${waiting.length - 1} more`;
  const words = `${needWords(first)} (${ageOf(first.question?.openedAt ?? first.why.since, state.now)})`;
  canvas.put(0, y, "!", look.wants);
  const at = canvas.putCut(2, y, words, look.bold, end - more.length);
  canvas.put(at, y, more, look.plain);
}

// What a person may want after a reboot, while nothing else does.
function drawLost(canvas: Canvas, y: number, end: number, { view: { restore } }: State): void {
  const words = restore && restoreWords(restore);
  if (words !== undefined) canvas.putCut(1, y, words, look.bold, end);
}

/** The result of an action, or its error. */
export function drawMessage(canvas: Canvas, y: number, end: number, { text, isFailure }: Message): void {
  if (isFailure) canvas.put(0, y, " ", block.failed);
  canvas.putCut(1, y, text, isFailure ? look.bold : look.plain, end);
}

/** A line editor with its cursor; a long line shows its end. */
export function drawLineEditor(
  canvas: Canvas,
  y: number,
  end: number,
  title: string,
  { before, after }: Line,
  x = 1,
): void {
  const at = canvas.putCut(x, y, title, look.bold, Math.max(x, end - 12));
  let shown = before;
  while (shown !== "" && widthOf(shown) > end - at - 2) shown = shown.slice([...shown][0]?.length ?? 1);
  const cursor = canvas.put(at, y, shown, look.plain, end);
  canvas.put(cursor, y, after, look.plain, end);
  canvas.cursor = { x: Math.min(cursor, end - 1), y };
}

/** As many keys of the help bar as fit. */
export function drawKeys(canvas: Canvas, { y, end }: Area, state: State, row: Row | undefined): void {
  const keys = offeredKeys(state, row);
  const { mode } = state;
  if (mode.kind === "pages" && mode.isTyped)
    return void drawLineEditor(canvas, y, end, "search: ", mode.search ?? { before: "", after: "" });
  const kept = fitting(keys, end - 1);
  let at = 1;
  for (const [key, label] of kept) {
    at = canvas.put(at, y, key, look.key);
    at = canvas.put(at, y, ` ${label}  `, look.plain);
  }
}

// Help and quit, the last two, are always kept.
function fitting(keys: readonly (readonly [string, string])[], room: number): readonly (readonly [string, string])[] {
  const width = (all: typeof keys) => all.reduce((sum, [key, label]) => sum + widthOf(key) + widthOf(label) + 3, 0);
  const last = keys.slice(-2);
  const first = keys.slice(0, -2);
  while (first.length > 0 && width(first) + width(last) > room) first.pop();
  return [...first, ...last];
}
