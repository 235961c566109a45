import { type Input, readInput } from "../input/read-input.ts";

// Importing it reads all its exports, and loads more than the first frame needs.
const { writeSync } = process.getBuiltinModule("node:fs");

/** The user's terminal. */
export interface Screen {
  readonly size: { readonly columns: number; readonly rows: number };
  write(text: string): void;
  /** Switches to the alternate screen, raw keys and mouse reporting. */
  enter(): void;
  /** Restores the terminal. Safe to call more than once. */
  leave(): void;
}

/** `onInput` gets keys, pastes and mouse events. */
export function openScreen(onInput: (input: Input) => void, onResize: () => void): Screen {
  const { stdin, stdout } = process;
  let isEntered = false;
  let rest = "";
  let timer: NodeJS.Timeout | undefined;
  const take = (text: string, isAll: boolean) => {
    clearTimeout(timer);
    const read = readInput(rest + text, isAll);
    rest = read.rest;
    // A lone Escape is the key if no sequence follows within `escapeMs`.
    if (rest !== "") timer = setTimeout(() => take("", true), escapeMs);
    for (const input of read.inputs) onInput(input);
  };
  const onData = (text: string) => take(text, false);
  stdin.setEncoding("utf8");
  return {
    get size() {
      return { columns: Math.max(1, stdout.columns ?? 80), rows: Math.max(1, stdout.rows ?? 24) };
    },
    write: (text) => void (isEntered && text !== "" && stdout.write(text)),
    enter() {
      if (isEntered) return;
      isEntered = true;
      stdin.setRawMode(true);
      stdin.on("data", onData);
      stdin.resume();
      stdout.on("resize", onResize);
      stdout.write(enterSequence);
    },
    leave() {
      if (!isEntered) return;
      isEntered = false;
      clearTimeout(timer);
      rest = "";
      stdin.off("data", onData);
      stdout.off("resize", onResize);
      stdin.pause();
      restoreTerminal();
    },
  };
}

/** Synchronous, because it also runs on process exit. The terminal may be gone by then. */
function restoreTerminal(): void {
  try {
    process.stdin.setRawMode(false);
    writeSync(1, leaveSequence);
  } catch {
    // The terminal is gone.
  }
}

const escapeMs = 30;

// Alternate screen, no wrapping at the right edge, mouse buttons with SGR coordinates, bracketed paste, no cursor.
const enterSequence = "\u001b[?1049h\u001b[?7l\u001b[?1000h\u001b[?1006h\u001b[?2004h\u001b[?25l";
const leaveSequence = "\u001b[?2026l\u001b[0m\u001b[?2004l\u001b[?1006l\u001b[?1000l\u001b[?7h\u001b[?25h\u001b[?1049l";
