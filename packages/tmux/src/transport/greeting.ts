import { randomBytes } from "node:crypto";

/** Marks the first byte of a program's output behind a prefix. */
export const programBegins = `paneward-${randomBytes(8).toString("hex")}\n`;

/** The program, announced: a shell prints the mark and execs the program. */
export function announced(argv: readonly string[]): readonly string[] {
  return ["sh", "-c", 'printf "%s\\n" "$0"; exec "$@"', programBegins.trimEnd(), ...argv];
}

/**
 * Strips everything before the mark from output that came through a prefix: a login script, a message of the day or the
 * prefix itself may print first.
 */
export class Greeting {
  #before: Buffer | undefined = Buffer.alloc(0);

  /** The part of this chunk that the program printed. */
  after(chunk: Buffer): Buffer {
    if (this.#before === undefined) return chunk;
    const received = Buffer.concat([this.#before, chunk]);
    const at = received.indexOf(programBegins);
    // A greeting may be long; only its end can contain a part of the mark.
    this.#before = at < 0 ? received.subarray(-programBegins.length) : undefined;
    return at < 0 ? Buffer.alloc(0) : received.subarray(at + programBegins.length);
  }
}
