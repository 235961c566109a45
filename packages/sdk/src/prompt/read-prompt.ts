import { confirm } from "./confirm.ts";
import { numberedMenu } from "./numbered-menu.ts";
import { pager } from "./pager.ts";
import { picker } from "./picker.ts";
import { pressKey } from "./press-key.ts";
import type { Prompt, ScreenCursor } from "./prompt.ts";
import { repl } from "./repl.ts";
import { secret } from "./secret.ts";
import { shell } from "./shell.ts";
import { text } from "./text.ts";
import { type View, viewOf } from "./view.ts";

/**
 * The prompt at the end of a screen, or undefined if the program only prints. The screen is plain text, one string per
 * row. The cursor makes the result much more reliable: a program that waits leaves it after its question, one that
 * prints leaves it on the next row.
 */
export function readPrompt(screen: readonly string[], cursor?: ScreenCursor): Prompt | undefined {
  // A row as wide as the pane may be the first half of a question; most are not, so that is tried second.
  const plain = firstOf(viewOf(screen, cursor, false));
  if (plain && !/^[a-z([]/.test(plain.text)) return plain;
  const joined = firstOf(viewOf(screen, cursor, true));
  return plain && joined?.kind !== plain.kind ? plain : joined;
}

function firstOf(view: View | undefined): Prompt | undefined {
  for (const rule of view ? rules : []) {
    const prompt = view && rule(view);
    if (prompt) return prompt;
  }
  return undefined;
}

/** Lists first: their shape is the strongest evidence. Free text last: it is the fallback. */
const rules: readonly ((view: View) => Prompt | undefined)[] = [
  numberedMenu,
  picker,
  pager,
  pressKey,
  secret,
  confirm,
  repl,
  shell,
  text,
];
