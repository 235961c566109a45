import { promptLine, waits } from "./line.ts";
import type { ScreenCursor } from "./prompt.ts";
import { viewOf } from "./view.ts";

/** The line that the cursor is right behind, at the end of what is shown: where a program that reads a line waits. */
export function lineAtCursor(screen: readonly string[], cursor: ScreenCursor): string | undefined {
  const view = viewOf(screen, cursor, false);
  const line = view && waits(view) ? promptLine(view)?.trim() : undefined;
  return line === "" ? undefined : line;
}
