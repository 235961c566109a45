import { visible } from "@paneward/sdk";

/**
 * The only way from the command line to the user's terminal (`test/cli/one-exit.test.ts` enforces it). Text of others
 * reaches the terminal only in a visible form, whatever a command does with it. Colours of our own are marked by `painted`
 * with a word that nobody else knows, so text cannot colour itself.
 */
export interface Exit {
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly rows: number;
  /** Escape sequences are shown, colours of `painted` are applied. */
  write(text: string): void;
  /** Obeyed as it is: sequences of our own, and what the user explicitly asked for. */
  writeRaw(text: string, done?: () => void): void;
  onResize(listener: () => void): void;
}

/** Data. */
export const dataExit = exitBy(process.stdout);
/** Everything else. */
export const noteExit = exitBy(process.stderr);

/** `paneward events | head` is not an error. */
export function endOnClosedPipe(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    throw error;
  });
}

export function painted(code: number, text: string): string {
  mark ??= `\u0000${process.getBuiltinModule("node:crypto").randomBytes(9).toString("base64")};`;
  return text === "" ? "" : `${mark}${code}m${text}${mark}0m`;
}

/** Text as the terminal gets it. */
export function shownText(text: string): string {
  return mark === undefined ? visible(text) : text.split(mark).map(appearance).join("");
}

/** Asks on the terminal and returns what was typed. */
export async function askPerson(question: string): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await prompt.question(visible(question));
  } finally {
    prompt.close();
  }
}

// Made when first used: most commands print without colours.
let mark: string | undefined;

// The first piece has no mark before it.
function appearance(piece: string, at: number): string {
  if (at === 0) return visible(piece);
  const end = piece.indexOf("m");
  return `\u001b[${piece.slice(0, end)}m${visible(piece.slice(end + 1))}`;
}

function exitBy(stream: NodeJS.WriteStream): Exit {
  return {
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.columns ?? 80;
    },
    get rows() {
      return stream.rows ?? 24;
    },
    write: (text) => void stream.write(shownText(text)),
    writeRaw: (text, done) => void stream.write(text, done),
    onResize: (listener) => void stream.on("resize", listener),
  };
}
