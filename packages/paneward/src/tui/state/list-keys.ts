import { type Row, sorts } from "@paneward/sdk/view";
import { openQuestion } from "./answer-keys.ts";
import type { Effect, Next } from "./effects.ts";
import { helpPages } from "./help.ts";
import type { Action } from "./keys.ts";
import { layoutOf, tableRows } from "./layout.ts";
import { emptyLine, lineOf } from "./line-editor.ts";
import { selectedRow, shownRows } from "./lines.ts";
import { idOf, type State } from "./state.ts";

/** What a key of the list does. */
export function pressInList(state: State, action: Action | undefined): Next<State> {
  if (action === undefined) return { state, effects: [] };
  const moved = movedBy(state, action) ?? arranged(state, action) ?? begun(state, action);
  if (moved) return { state: moved, effects: [] };
  if (action === "undo") return done(state, { kind: "call", call: { operation: "undo" } });
  if (action === "redraw" || action === "suspend" || action === "quit") return done(state, { kind: action });
  const row = selectedRow(state);
  if (!row) return said(state, "nothing is selected");
  const effect = effectOn(row, action);
  return effect ? done(state, effect) : said(state, `${row.id} ${row.name}: ${refusalOf(row, action)}`);
}

function effectOn(row: Row, action: Action): Effect | undefined {
  const id = idOf(row);
  const title = `${row.id} ${row.name}`;
  switch (action) {
    case "attach":
      return row.kind === "agent" ? undefined : { kind: "attach", id };
    case "journal":
      return row.terminal === undefined ? undefined : { kind: "journal", id: row.terminal, title };
    case "diff":
      return row.kind === "task" ? { kind: "diff", id, title } : undefined;
    case "shell":
    case "edit":
      return row.kind === "task" ? { kind: action, id } : undefined;
    case "stop":
    case "restart":
      return row.kind === "agent" ? undefined : { kind: "call", call: { operation: action, id } };
    case "start":
    case "merge":
    case "complete":
      return row.kind === "task" ? { kind: "call", call: { operation: action, id } } : undefined;
    default:
      return undefined;
  }
}

function refusalOf(row: Row, action: Action): string {
  if (action === "answer") return "no question is open";
  if (action === "journal") return "it has not printed anything yet";
  if (row.kind === "agent") return "it runs in your own tmux, and is only read and answered";
  return "only a task has that";
}

function movedBy(state: State, action: Action): State | undefined {
  const page = tableRows(layoutOf(state)) - 1;
  const steps: Partial<Record<Action, number>> = {
    down: 1,
    up: -1,
    "page-down": page,
    "page-up": -page,
    first: Number.NEGATIVE_INFINITY,
    last: Number.POSITIVE_INFINITY,
  };
  const step = steps[action];
  if (step !== undefined) return stepped(state, step);
  return action === "next-need" ? toNextNeed(state) : undefined;
}

/** Moves the cursor by rows, not beyond the ends. */
export function stepped(state: State, step: number): State {
  const rows = shownRows(state);
  const at = rows.findIndex(({ key }) => key === state.selected);
  const row = rows[Math.max(0, Math.min(rows.length - 1, at + step))];
  return row ? { ...state, selected: row.key } : state;
}

function toNextNeed(state: State): State {
  const rows = shownRows(state);
  const at = rows.findIndex(({ key }) => key === state.selected);
  const next = [...rows.slice(at + 1), ...rows.slice(0, at + 1)].find(({ needsMe }) => needsMe);
  return next
    ? { ...state, selected: next.key }
    : { ...state, message: { text: "nothing needs you", isFailure: false } };
}

function arranged(state: State, action: Action): State | undefined {
  const { arrangement } = state;
  switch (action) {
    case "needs-me":
      return { ...state, arrangement: { ...arrangement, needsMe: !arrangement.needsMe } };
    case "completed":
      return { ...state, arrangement: { ...arrangement, completed: !arrangement.completed } };
    case "sort": {
      const sort = sorts[(sorts.indexOf(arrangement.sort) + 1) % sorts.length] ?? "attention";
      const message = { text: `ordered by ${sort}`, isFailure: false };
      return { ...state, arrangement: { ...arrangement, sort }, message };
    }
    case "clear":
      return { ...state, arrangement: { ...arrangement, filter: "", needsMe: false } };
    case "log":
      return { ...state, logShown: !state.logShown };
    case "log-more":
      return { ...state, logShown: true, logRows: Math.min(state.logRows + 2, 20) };
    case "log-less":
      return { ...state, logRows: Math.max(state.logRows - 2, 2) };
    default:
      return undefined;
  }
}

// What asks for more input before anything is done.
function begun(state: State, action: Action): State | undefined {
  const row = selectedRow(state);
  switch (action) {
    case "filter":
      return { ...state, mode: { kind: "filter", line: lineOf(state.arrangement.filter) } };
    case "help":
      return { ...state, mode: helpPages() };
    case "new":
    case "new-and-start": {
      const title = action === "new" ? "a task to write down" : "a task to start";
      return { ...state, mode: { kind: "write", purpose: action, id: "", title, line: emptyLine } };
    }
    case "send":
      if (!row) return undefined;
      return {
        ...state,
        mode: { kind: "write", purpose: "send", id: idOf(row), title: `to ${row.id} ${row.name}`, line: emptyLine },
      };
    case "remove":
      if (!row || row.kind === "agent") return undefined;
      return {
        ...state,
        mode: { kind: "confirm", id: idOf(row), question: `remove ${row.id} ${row.name}?${consequenceOf(row)}` },
      };
    case "answer":
      return row && openQuestion(state, row);
    default:
      return undefined;
  }
}

function consequenceOf({ work, status, kind }: Row): string {
  const ends = status === "Running" || status === "Idle" || status === "Waiting" ? " Its program is ended." : "";
  const holds = work && work.added + work.removed + work.ahead > 0 ? " Its work is kept for undo." : "";
  return kind === "task" ? ends + holds : ends;
}

function done(state: State, effect: Effect): Next<State> {
  return { state, effects: [effect] };
}

function said(state: State, text: string): Next<State> {
  return { state: { ...state, message: { text, isFailure: true } }, effects: [] };
}
