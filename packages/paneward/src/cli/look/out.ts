import type { Progress } from "./progress.ts";

/** What a command prints: data on stdout, notes on stderr. */
export interface Out {
  /** Whether stdout is a terminal. */
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly paint: Paint;
  line(text: string): void;
  raw(text: string): void;
  json(value: unknown): void;
  /** Goes to stderr; never part of the data. */
  note(text: string): void;
}

export type Colour = keyof typeof codes;
type Paint = (colour: Colour, text: string) => string;

export function openOut(env: NodeJS.ProcessEnv, progress: Progress): Out {
  const { stdout, stderr } = process;
  const isTerminal = stdout.isTTY === true;
  const write = (stream: NodeJS.WriteStream, text: string) => {
    progress.clear();
    stream.write(text);
  };
  return {
    isTerminal,
    columns: isTerminal ? (stdout.columns ?? 80) : Number.POSITIVE_INFINITY,
    paint: isTerminal && !env.NO_COLOR && env.TERM !== "dumb" ? painted : (_, text) => text,
    line: (text) => write(stdout, `${text}\n`),
    raw: (text) => write(stdout, text),
    json: (value) => write(stdout, `${JSON.stringify(value)}\n`),
    note: (text) => write(stderr, `${text}\n`),
  };
}

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34, magenta: 35, cyan: 36 } as const;

function painted(colour: Colour, text: string): string {
  return text === "" ? "" : `\u001b[${codes[colour]}m${text}\u001b[0m`;
}
