import { visibleJson } from "@paneward/sdk";
import { dataExit, noteExit, painted } from "./exit.ts";
import type { Progress } from "./progress.ts";

/** What a command prints: data on stdout, notes on stderr. Escape sequences of others are shown, never obeyed. */
export interface Out {
  /** Whether stdout is a terminal. */
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly paint: Paint;
  line(text: string): void;
  /** What a program printed or a file contains: exact if stdout is not a terminal. No line break is added. */
  content(text: string): void;
  /** Obeyed by the terminal: sequences of our own, and what the user explicitly asked for. */
  raw(text: string, done?: () => void): void;
  json(value: unknown): void;
  /** Goes to stderr; never part of the data. */
  note(text: string): void;
}

export type Colour = keyof typeof codes;
type Paint = (colour: Colour, text: string) => string;

export function openOut(env: NodeJS.ProcessEnv, progress: Progress): Out {
  const { isTerminal } = dataExit;
  const write = (text: string) => {
    progress.clear();
    dataExit.write(text);
  };
  const raw = (text: string, done?: () => void) => {
    progress.clear();
    dataExit.writeRaw(text, done);
  };
  return {
    isTerminal,
    columns: isTerminal ? dataExit.columns : Number.POSITIVE_INFINITY,
    paint: hasColour(env, isTerminal) ? inColour : (_, text) => text,
    line: (text) => write(`${text}\n`),
    content: isTerminal ? write : (text) => raw(text),
    raw,
    json: (value) => raw(`${visibleJson(value)}\n`),
    note(text) {
      progress.clear();
      noteExit.write(`${text}\n`);
    },
  };
}

/** NO_COLOR and FORCE_COLOR as other programs take them; the first wins. */
export function hasColour({ NO_COLOR, FORCE_COLOR, TERM }: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  if (NO_COLOR) return false;
  return FORCE_COLOR ? FORCE_COLOR !== "0" : isTerminal && TERM !== "dumb";
}

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34, magenta: 35, cyan: 36 } as const;

function inColour(colour: Colour, text: string): string {
  return painted(codes[colour], text);
}
