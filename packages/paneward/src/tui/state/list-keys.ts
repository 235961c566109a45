import { type Row, sorts } from "@paneward/sdk/view";
import { openQuestion } from "./answer-keys.ts";
import type { Effect, Next } from "./effects.ts";
import { helpPages } from "./help.ts";
import type { Action } from "./keys.ts";
import { layoutOf, tableRows } from "./layout.ts";
import { emptyLine, lineOf } from "./line-editor.ts";
import { selectedProject, selectedRow, shownRows } from "./lines.ts";
import { refusalOf } from "./refusal.ts";
import { idOf, type State } from "./state.ts";

/** What a key of the list does. */
export function pressInList(state: State, action: Action | undefined): Next<State> {
  if (action === undefined) return { state, effects: [] };
  const row = selectedRow(state);
  const refusal = refusalOf(state, row, action);
  if (refusal !== undefined) return refused(state, refusal);
  const moved = moveCursor(state, action) ?? changeArrangement(state, action) ?? openMode(state, action);
  if (moved) return { state: moved, effects: [] };
  if (action === "undo") return withEffect(state, { kind: "call", call: { operation: "undo" } });
  if (action === "redraw" || action === "suspend" || action === "quit") return withEffect(state, { kind: action });
  const effect = row && effectOn(row, action);
  return effect ? withEffect(state, effect) : { state, effects: [] };
}

function effectOn(row: Row, action: Action): Effect | undefined {
  const id = idOf(row);
  const title = `${row.id} ${row.name}`;
  switch (action) {
    case "attach":
    case "shell":
    case "edit":
      return { kind: action, id };
    case "journal":
      return { kind: "journal", id: row.terminal ?? id, title };
    case "diff":
      return { kind: "diff", id, title };
    case "stop":
    case "restart":
    case "start":
    case "merge":
    case "complete":
      return { kind: "call", call: { operation: action, id } };
    default:
      return undefined;
  }
}

function moveCursor(state: State, action: Action): State | undefined {
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
  if (step !== undefined) return moveBy(state, step);
  return action === "next-need" ? selectNextNeed(state) : undefined;
}

/** Moves the cursor by `step` rows, within the list. */
export function moveBy(state: State, step: number): State {
  const rows = shownRows(state);
  const at = rows.findIndex(({ key }) => key === state.selected);
  const row = rows[Math.max(0, Math.min(rows.length - 1, at + step))];
  return row ? { ...state, selected: row.key } : state;
}

function selectNextNeed(state: State): State {
  const rows = shownRows(state);
  const at = rows.findIndex(({ key }) => key === state.selected);
  const next = [...rows.slice(at + 1), ...rows.slice(0, at + 1)].find(({ needsMe }) => needsMe);
  return next
    ? { ...state, selected: next.key }
    : { ...state, message: { text: "nothing needs you", isFailure: false } };
}

function changeArrangement(state: State, action: Action): State | undefined {
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
    case "widen":
      return { ...state, isListAlone: !state.isListAlone };
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

// Actions that ask for more input first.
function openMode(state: State, action: Action): State | undefined {
  const row = selectedRow(state);
  switch (action) {
    case "filter":
      return { ...state, mode: { kind: "filter", line: lineOf(state.arrangement.filter) } };
    case "help":
      return { ...state, mode: helpPages() };
    case "new":
    case "new-and-start": {
      const project = selectedProject(state);
      const title = `${action === "new" ? "new draft" : "new task"}${project ? ` in ${project.name}` : ""}`;
      return { ...state, mode: { kind: "write", purpose: action, id: project?.folder ?? "", title, line: emptyLine } };
    }
    case "send":
    case "command": {
      if (!row) return undefined;
      const title = `${action === "send" ? "" : "command "}to ${row.id} ${row.name}`;
      return { ...state, mode: { kind: "write", purpose: action, id: idOf(row), title, line: emptyLine } };
    }
    case "remove":
      if (!row) return undefined;
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
  const ends = status === "Running" || status === "Idle" || status === "Waiting" ? " Its program will be stopped." : "";
  const keeps = work && work.added + work.removed + work.ahead > 0 ? " Its work is kept for undo." : "";
  return kind === "task" ? ends + keeps : ends;
}

function withEffect(state: State, effect: Effect): Next<State> {
  return { state, effects: [effect] };
}

function refused(state: State, text: string): Next<State> {
  return { state: { ...state, message: { text, isFailure: true } }, effects: [] };
}
