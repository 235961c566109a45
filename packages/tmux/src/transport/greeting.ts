import { randomBytes } from "node:crypto";

/** Stands before the first byte of a program that runs behind a prefix. */
export const programBegins = `paneward-${randomBytes(8).toString("hex")}\n`;

/** The program, announced: a shell prints the mark and becomes the program. */
export function announced(argv: readonly string[]): readonly string[] {
  return ["sh", "-c", 'printf "%s\\n" "$0"; exec "$@"', programBegins.trimEnd(), ...argv];
}

/**
 * Takes what came through a prefix and gives what the program printed. A login script, a message of the day or the
 * prefix itself may print before: that is no answer.
 */
export class Greeting {
  #before: Buffer | undefined = Buffer.alloc(0);

  /** What of this chunk is the program's. */
  after(chunk: Buffer): Buffer {
    if (this.#before === undefined) return chunk;
    const heard = Buffer.concat([this.#before, chunk]);
    const at = heard.indexOf(programBegins);
    // A greeting may be long; only its end can hold a part of the mark.
    this.#before = at < 0 ? heard.subarray(-programBegins.length) : undefined;
    return at < 0 ? Buffer.alloc(0) : heard.subarray(at + programBegins.length);
  }
}
