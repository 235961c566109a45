/** A piece of recorded output. */
export interface Piece {
  readonly atMs: number;
  readonly bytes: Uint8Array;
}

export interface CastHeader {
  readonly columns: number;
  readonly rows: number;
  readonly startedAtMs: number;
  readonly title: string;
}

/** Writes an asciicast v2 file: a header, then output with its time in seconds since the start. */
export class CastWriter {
  readonly #startedAtMs: number;
  readonly #decoder = new TextDecoder();
  readonly #lines: string[];
  #lastMs: number;

  constructor({ columns, rows, startedAtMs, title }: CastHeader, firstScreen: string) {
    this.#startedAtMs = startedAtMs;
    this.#lastMs = startedAtMs;
    const timestamp = Math.floor(startedAtMs / 1_000);
    const header = { version: 2, width: columns, height: rows, timestamp, title, env: { TERM: "screen-256color" } };
    this.#lines = [JSON.stringify(header)];
    if (firstScreen !== "") this.#event(firstScreen);
  }

  /** A character split between two pieces is written with the second. Time never goes back. */
  write({ atMs, bytes }: Piece): void {
    this.#lastMs = Math.max(this.#lastMs, atMs);
    const text = this.#decoder.decode(bytes, { stream: true });
    if (text !== "") this.#event(text);
  }

  get seconds(): number {
    return (this.#lastMs - this.#startedAtMs) / 1_000;
  }

  get events(): number {
    return this.#lines.length - 1;
  }

  finish(): string {
    const rest = this.#decoder.decode();
    if (rest !== "") this.#event(rest);
    return `${this.#lines.join("\n")}\n`;
  }

  #event(text: string): void {
    this.#lines.push(JSON.stringify([this.seconds, "o", text]));
  }
}
