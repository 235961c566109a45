import type { Action } from "./keys.ts";
import { editLine, emptyLine, textOf } from "./line-editor.ts";
import { listMode, type Pages, type State } from "./state.ts";

/** How many lines of the pager are visible. */
export function pageRows({ size }: Pick<State, "size">): number {
  return Math.max(1, size.rows - 3);
}

export function pressInPages(state: State, mode: Pages, action: Action | undefined, key: string): State {
  if (mode.isTyped) return editSearch(state, mode, key);
  if (action === "leave") return { ...state, mode: listMode };
  if (action === "search") return { ...state, mode: { ...mode, search: emptyLine, isTyped: true } };
  if (action === "search-next" || action === "search-before") {
    const top = findMatch(mode, mode.top, action === "search-next" ? 1 : -1);
    if (top === undefined) return { ...state, message: { text: "no other match", isFailure: true } };
    return { ...state, mode: scrolledTo(state, mode, top) };
  }
  const page = pageRows(state);
  const steps: Partial<Record<Action, number>> = {
    "scroll-down": 1,
    "scroll-up": -1,
    "scroll-page-down": page - 1,
    "scroll-page-up": 1 - page,
    "scroll-first": Number.NEGATIVE_INFINITY,
    "scroll-last": Number.POSITIVE_INFINITY,
  };
  const step = action === undefined ? undefined : steps[action];
  return step === undefined ? state : { ...state, mode: scrolledTo(state, mode, mode.top + step) };
}

export function scrolledTo(state: Pick<State, "size">, mode: Pages, top: number): Pages {
  return { ...mode, top: Math.max(0, Math.min(top, mode.lines.length - pageRows(state))) };
}

function editSearch(state: State, mode: Pages, key: string): State {
  const line = mode.search ?? emptyLine;
  if (key === "Escape") return { ...state, mode: { ...mode, search: undefined, isTyped: false } };
  if (key !== "Enter") return { ...state, mode: { ...mode, search: editLine(line, key) ?? line } };
  const found = { ...mode, isTyped: false };
  const top = findMatch(found, mode.top - 1, 1) ?? findMatch(found, -1, 1);
  if (top !== undefined) return { ...state, mode: scrolledTo(state, found, top) };
  const words = textOf(line);
  const message = words === "" ? undefined : { text: `"${words}" was not found`, isFailure: true };
  return { ...state, mode: { ...found, search: undefined }, message };
}

// The next matching line in one direction.
function findMatch({ lines, search }: Pages, from: number, step: 1 | -1): number | undefined {
  const words = textOf(search ?? emptyLine).toLowerCase();
  if (words === "") return undefined;
  for (let at = from + step; at >= 0 && at < lines.length; at += step) {
    if (lines[at]?.toLowerCase().includes(words)) return at;
  }
  return undefined;
}
