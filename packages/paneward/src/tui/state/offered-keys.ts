import type { Row } from "@paneward/sdk/view";
import { type Action, type Key, keyTable } from "./keys.ts";
import { refusalOf } from "./refusal.ts";
import type { State } from "./state.ts";

/** The keys that fit what is selected and what is going on, and that would not be refused. */
export function offeredKeys(
  state: State,
  selected: Row | undefined,
): readonly (readonly [key: string, label: string])[] {
  return (keyTable as readonly Key[])
    .filter(({ place, offered }) => place === state.mode.kind && offered?.(selected, state))
    .filter(({ does }) => refusalOf(state, selected, does as Action) === undefined)
    .map(({ keys, label }) => [keys[0] ?? "", label]);
}
