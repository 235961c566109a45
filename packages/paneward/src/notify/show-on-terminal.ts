import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";

/** Writes to a terminal in one piece. One that takes nothing now, because it is held up or gone, is left out. */
export function showOnTerminal(tty: string, text: string): void {
  let file: number | undefined;
  try {
    file = openSync(tty, constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK);
    if (fstatSync(file).isCharacterDevice()) writeSync(file, text);
  } catch {
    // The line in tmux says it too.
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
