import type { Input } from "../input/read-input.ts";
import type { Next } from "./effects.ts";
import { isInside, layoutOf } from "./layout.ts";
import { listed, selectedRow } from "./lines.ts";
import { moveBy, pressInList } from "./list-keys.ts";
import { scrolledTo } from "./pages-keys.ts";
import type { State } from "./state.ts";

type Mouse = Extract<Input, { kind: "mouse" }>;

/** A click selects a row, a click on the selected row attaches, the wheel scrolls what is under it. */
export function handleMouse(state: State, { does, x, y }: Mouse): Next<State> {
  const { mode } = state;
  const up = does === "wheel-up" ? -1 : 1;
  if (mode.kind === "pages" && does !== "press") {
    return { state: { ...state, mode: scrolledTo(state, mode, mode.top + 3 * up) }, effects: [] };
  }
  if (mode.kind !== "list") return { state, effects: [] };
  const layout = layoutOf(state);
  if (does !== "press") {
    if (isInside(layout.live, x, y)) return up < 0 ? pressInList(state, "journal") : { state, effects: [] };
    return { state: moveBy(state, up), effects: [] };
  }
  if (isInside(layout.needs, x, y)) return pressInList(pressInList(state, "next-need").state, "answer");
  if (!isInside(layout.table, x, y)) return { state, effects: [] };
  const line = listed(state).lines[state.top + y - layout.table.y - 1];
  if (line?.kind !== "row") return { state, effects: [] };
  const wasSelected = selectedRow(state)?.key === line.row.key;
  return wasSelected ? pressInList(state, "attach") : { state: { ...state, selected: line.row.key }, effects: [] };
}
