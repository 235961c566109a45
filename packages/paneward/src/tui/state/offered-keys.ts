import type { Row } from "@paneward/sdk/view";
import { type Action, type Key, keyTable } from "./keys.ts";
import { refusalOf } from "./refusal.ts";
import type { State } from "./state.ts";

/** The keys for the help bar: those useful for the mode and the selected row, and not refused. */
export function offeredKeys(
  state: State,
  selected: Row | undefined,
): readonly (readonly [key: string, label: string])[] {
  return (keyTable as readonly Key[])
    .filter(({ place, offered }) => place === state.mode.kind && offered?.(selected, state))
    .filter(({ does }) => refusalOf(state, selected, does as Action) === undefined)
    .map(({ keys, label }) => [keys[0] ?? "", label]);
}
