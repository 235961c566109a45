import { writeSync } from "node:fs";
import { type Input, readInput } from "../input/read-input.ts";

/** The terminal that a person sits at. */
export interface Screen {
  readonly size: { readonly columns: number; readonly rows: number };
  write(text: string): void;
  /** Takes the terminal: second screen, keys one by one, mouse. */
  enter(): void;
  /** Gives it back as it was. Safe to call more than once. */
  leave(): void;
}

/** `onInput` gets what the person does, `onResize` is called when the size is another one. */
export function openScreen(onInput: (input: Input) => void, onResize: () => void): Screen {
  const { stdin, stdout } = process;
  let isEntered = false;
  let rest = "";
  let timer: NodeJS.Timeout | undefined;
  const take = (text: string, isAll: boolean) => {
    clearTimeout(timer);
    const read = readInput(rest + text, isAll);
    rest = read.rest;
    // An Escape by itself is the key, if nothing follows it at once.
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
      stdout.write(taken);
    },
    leave() {
      if (!isEntered) return;
      isEntered = false;
      clearTimeout(timer);
      rest = "";
      stdin.off("data", onData);
      stdout.off("resize", onResize);
      stdin.pause();
      givenBack();
    },
  };
}

/** At once and without a stream: this also runs when the process is about to end. The terminal may be gone by then. */
function givenBack(): void {
  try {
    process.stdin.setRawMode(false);
    writeSync(1, given);
  } catch {
    // Nobody sees it any more.
  }
}

const escapeMs = 30;

// Second screen, no wrapping at the right edge, mouse buttons with exact places, pasted text in brackets.
const taken = "\u001b[?1049h\u001b[?7l\u001b[?1000h\u001b[?1006h\u001b[?2004h\u001b[?25l";
const given = "\u001b[?2026l\u001b[0m\u001b[?2004l\u001b[?1006l\u001b[?1000l\u001b[?7h\u001b[?25h\u001b[?1049l";
