/** What was cut out of a text. */
export interface LeftOut {
  readonly lines: number;
  readonly bytes: number;
}

/** About how many bytes of text a language model reads as one token. */
export const bytesPerToken = 4;

/**
 * Keeps a text within a number of bytes: its beginning and, as it matters more, three times as much of its end. Where
 * something was cut out, a line says how much; that line is not counted. Memory stays within the budget too.
 */
export class Budget {
  readonly #maxBytes: number;
  #pieces: { readonly text: string; readonly bytes: number }[] = [];
  #first = 0;
  /** The newest lines, until they are long enough for a piece: a piece for each line is several times its size. */
  #newest: string[] = [];
  #newestBytes = 0;
  #bytes = 0;
  #head: string | undefined;
  #lines = 0;
  #leftOut = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  write(text: string): void {
    if (text === "") return;
    const bytes = byteLength(text);
    this.#newest.push(text);
    this.#newestBytes += bytes;
    this.#bytes += bytes;
    if (this.#newestBytes >= pieceBytes) this.#makePiece();
    if (this.#head === undefined && this.#bytes > this.#maxBytes) this.#cutHead();
    if (this.#head !== undefined) this.#dropSurplus();
  }

  #makePiece(): void {
    this.#pieces.push({ text: this.#newest.join(""), bytes: this.#newestBytes });
    this.#newest = [];
    this.#newestBytes = 0;
  }

  finish(): { readonly text: string; readonly leftOut?: LeftOut } {
    const rest = this.#rest();
    if (this.#head === undefined) return { text: rest };
    const tail = rest.slice(tailStart(rest, this.#tailBytes));
    this.#leave(rest.slice(0, rest.length - tail.length));
    const leftOut = { lines: this.#lines, bytes: this.#leftOut };
    const gap = this.#head === "" || this.#head.endsWith("\n") ? "" : "\n";
    return { text: `${this.#head}${gap}${leftOutLine(leftOut)}\n${tail}`, leftOut };
  }

  get #tailBytes(): number {
    return this.#maxBytes - Math.floor(this.#maxBytes / 4);
  }

  #rest(): string {
    const texts = this.#pieces.slice(this.#first).map((piece) => piece.text);
    return [...texts, ...this.#newest].join("");
  }

  #cutHead(): void {
    const all = this.#rest();
    this.#head = all.slice(0, headEnd(all, Math.floor(this.#maxBytes / 4)));
    const rest = all.slice(this.#head.length);
    this.#bytes = byteLength(rest);
    this.#pieces = [{ text: rest, bytes: this.#bytes }];
    this.#newest = [];
    this.#newestBytes = 0;
  }

  #dropSurplus(): void {
    for (;;) {
      const piece = this.#pieces[this.#first];
      if (!piece || this.#bytes - piece.bytes <= this.#tailBytes) break;
      this.#leave(piece.text);
      this.#bytes -= piece.bytes;
      this.#first++;
    }
    if (this.#first < 1_024) return;
    this.#pieces = this.#pieces.slice(this.#first);
    this.#first = 0;
  }

  #leave(text: string): void {
    this.#leftOut += byteLength(text);
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.#lines++;
  }
}

const pieceBytes = 16_384;

function leftOutLine({ lines, bytes }: LeftOut): string {
  return `[… ${lines} ${lines === 1 ? "line" : "lines"}, ${bytes} bytes left out …]`;
}

const encoder = new TextEncoder();
const beyondAscii = /[^\u0000-\u007f]/;
const byteLength = (text: string) => (beyondAscii.test(text) ? encoder.encode(text).length : text.length);

// At the end of the last line that fits; in a line that is longer, between two characters and outside of a sequence.
function headEnd(text: string, bytes: number): number {
  const fits = encoder.encodeInto(text, new Uint8Array(bytes)).read;
  if (fits === 0) return 0;
  const line = text.lastIndexOf("\n", fits - 1) + 1;
  return line > 0 ? line : (sequenceAround(text, fits)?.[0] ?? fits);
}

function tailStart(text: string, bytes: number): number {
  let over = byteLength(text) - bytes;
  let at = 0;
  for (; over > 0; at++) {
    const code = text.codePointAt(at) ?? 0;
    over -= code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (code >= 0x10000) at++;
  }
  const line = at === 0 || text[at - 1] === "\n" ? at : text.indexOf("\n", at) + 1;
  return line > 0 || at === 0 ? line : (sequenceAround(text, at)?.[1] ?? at);
}

const sequence =
  /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[PX^_k][^\u001b]*(?:\u001b\\)?|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[ -/]+[0-~]?|\u001b[0-~]?/y;
const maxSequence = 4_096;

// The escape sequence around a place, if there is one.
function sequenceAround(text: string, at: number): readonly [number, number] | undefined {
  const start = text.lastIndexOf("\u001b", at - 1);
  if (start < 0 || at - start > maxSequence) return undefined;
  sequence.lastIndex = start;
  const end = start + (sequence.exec(text)?.[0].length ?? 0);
  return end > at ? [start, end] : undefined;
}
