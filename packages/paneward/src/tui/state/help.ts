import { keyPage } from "./keys.ts";
import type { Pages } from "./state.ts";

/** The page behind `?`. */
export function helpPages(): Pages {
  const rows = keyPage();
  const lines = rows.flatMap(([place, keys, what], at) => {
    const head = rows[at - 1]?.[0] === place ? [] : [...(at === 0 ? [] : [""]), place];
    return [...head, `  ${keys.padEnd(16)} ${what}`];
  });
  const more = [
    "",
    "Mouse: click selects, a second click attaches, the wheel scrolls; on the screen it opens the journal.",
  ];
  return {
    kind: "pages",
    of: "help",
    title: "Keys",
    lines: [...lines, ...more],
    top: 0,
    search: undefined,
    isTyped: false,
  };
}
