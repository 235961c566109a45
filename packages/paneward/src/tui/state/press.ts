import type { Input } from "../input/read-input.ts";
import { pressInAnswer } from "./answer-keys.ts";
import type { Next } from "./effects.ts";
import { actionOf } from "./keys.ts";
import { layoutOf, tableRows } from "./layout.ts";
import { editLine, emptyLine, inserted, type Line, textOf } from "./line-editor.ts";
import { clampSelection } from "./lines.ts";
import { pressInList } from "./list-keys.ts";
import { handleMouse } from "./mouse.ts";
import { pressInPages } from "./pages-keys.ts";
import { listMode, type State } from "./state.ts";

/** The state after an input, and the effects to run. */
export function press(before: State, input: Input): Next<State> {
  const { state, effects } = pressed({ ...before, message: undefined }, input);
  return { state: clampSelection(state, tableRows(layoutOf(state))), effects };
}

function pressed(state: State, input: Input): Next<State> {
  if (input.kind === "mouse") return handleMouse(state, input);
  if (input.kind === "paste") return { state: pasted(state, input.text), effects: [] };
  if (input.key === "C-c") return { state, effects: [{ kind: "quit" }] };
  if (input.key === "C-z") return { state, effects: [{ kind: "suspend" }] };
  const { mode } = state;
  const action = actionOf(mode.kind, input.key);
  switch (mode.kind) {
    case "list":
      return pressInList(state, action);
    case "pages":
      return { state: pressInPages(state, mode, action, input.key), effects: [] };
    case "answer":
      return pressInAnswer(state, mode, action, input.key);
    case "confirm":
      if (action === "leave") return { state: { ...state, mode: listMode }, effects: [] };
      if (action !== "accept") return { state, effects: [] };
      return {
        state: { ...state, mode: listMode },
        effects: [{ kind: "call", call: { operation: "rm", id: mode.id } }],
      };
    case "filter":
      return { state: editFilter(state, mode.line, action, input.key), effects: [] };
    case "write": {
      if (action === "leave") return { state: { ...state, mode: listMode }, effects: [] };
      if (action === "accept") return submitLine(state, mode);
      const line = editLine(mode.line, input.key) ?? mode.line;
      return { state: { ...state, mode: { ...mode, line } }, effects: [] };
    }
  }
}

// Filters while typing.
function editFilter(state: State, line: Line, action: string | undefined, key: string): State {
  const shown = (filter: string) => ({ ...state.arrangement, filter });
  if (action === "leave") return { ...state, mode: listMode, arrangement: shown("") };
  if (action === "accept") return { ...state, mode: listMode, arrangement: shown(textOf(line)) };
  const next = editLine(line, key) ?? line;
  return { ...state, mode: { kind: "filter", line: next }, arrangement: shown(textOf(next)) };
}

function submitLine(state: State, mode: Extract<State["mode"], { kind: "write" }>): Next<State> {
  const text = textOf(mode.line).trim();
  const next = { ...state, mode: listMode };
  if (mode.purpose === "send" || mode.purpose === "command") {
    const command = mode.purpose === "command";
    return { state: next, effects: [{ kind: "call", call: { operation: "send", id: mode.id, text, command } }] };
  }
  if (text === "") return { state: next, effects: [] };
  const draft = mode.purpose === "new";
  return {
    state: next,
    effects: [{ kind: "call", call: { operation: "new", root: mode.id === "" ? undefined : mode.id, text, draft } }],
  };
}

function pasted(state: State, text: string): State {
  const { mode } = state;
  switch (mode.kind) {
    case "list":
    case "confirm":
      return state;
    case "pages":
      return mode.isTyped ? { ...state, mode: { ...mode, search: inserted(mode.search ?? emptyLine, text) } } : state;
    case "filter":
      return editFilter(state, inserted(mode.line, text), undefined, "");
    case "answer":
      return {
        ...state,
        mode: { ...mode, at: mode.question.options.length, line: inserted(mode.line, text), asksRead: false },
      };
    case "write":
      return { ...state, mode: { ...mode, line: inserted(mode.line, text) } };
  }
}
