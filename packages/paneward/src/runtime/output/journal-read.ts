import { setImmediate as yieldToLoop } from "node:timers/promises";
import type { LastLines } from "../../model/output/budget-lines.ts";
import { emptyJournal, isSameCursor, type JournalCursor, type ReadCursor } from "../../model/output/cursor.ts";
import type { Size } from "../../model/output/fold-grid.ts";
import { JournalFold, lookBack } from "../../model/output/fold-journal.ts";
import { RawText } from "../../model/output/fold-raw.ts";
import type { ReadBytes, Terminals } from "../ports.ts";

export interface ReadOptions {
  readonly size: Size;
  readonly raw: boolean;
  /** How many bytes of the journal to read at most. */
  readonly maxBytes: number;
  /** After how many line ends to stop; the rest is for the next read. */
  readonly maxLines?: number;
  readonly signal: AbortSignal | undefined;
  /** Whether the program has ended, so that an incomplete sequence stays incomplete. */
  readonly isEnded: () => boolean;
}

export interface JournalSource {
  read(cursor: JournalCursor | undefined, maxBytes: number): Promise<ReadBytes>;
  beforeEnd(bytes: number): Promise<JournalCursor | undefined>;
}

export interface TextOut {
  write(text: string): void;
  /** What was written so far has been worked through, and there is room for more. */
  drained?(): Promise<void>;
}

/** One journal of a host. */
export function journalSource(
  terminals: Pick<Terminals, "read" | "cursorBeforeEnd">,
  { host, journal }: { readonly host: string; readonly journal: string },
): JournalSource {
  return {
    read: (cursor, maxBytes) => terminals.read(host, journal, cursor, maxBytes),
    beforeEnd: (bytes) => terminals.cursorBeforeEnd(host, journal, bytes),
  };
}

interface Done {
  readonly cursor: ReadCursor;
  readonly missed: number;
  readonly atEnd: boolean;
}

const block = 65_536;
const newline = 10;
const never = Number.POSITIVE_INFINITY;

/** Reads a journal from some place to its end and writes it out as plain text. */
export class JournalRead {
  readonly #source: JournalSource;
  readonly #options: ReadOptions;
  readonly #out: TextOut;

  constructor(source: JournalSource, options: ReadOptions, out: TextOut) {
    this.#source = source;
    this.#options = options;
    this.#out = out;
  }

  async since(cursor: ReadCursor): Promise<Done> {
    if (isSameCursor(cursor, emptyJournal)) return this.fromOldest();
    const first = await this.#source.read(cursor, this.#nextBlock(0));
    if (first.bytes.length === 0 && isSameCursor(first.cursor, cursor)) return { cursor, missed: 0, atEnd: true };
    const isGap = first.missed > 0 || first.hole;
    return this.#goThrough(isGap ? new JournalFold(this.#options.size, cursor) : await this.#lookBack(cursor), first);
  }

  async fromOldest(): Promise<Done> {
    const first = await this.#source.read(undefined, this.#nextBlock(0));
    if (isSameCursor(first.cursor, emptyJournal)) return { cursor: emptyJournal, missed: 0, atEnd: true };
    const { epoch, offset } = first.cursor;
    const begin = offset === first.bytes.length ? 0 : await this.#beginning();
    const done = await this.#goThrough(new JournalFold(this.#options.size, { epoch, offset: begin }), first);
    return { ...done, missed: done.missed + begin };
  }

  /** Looks further and further back from the end until there are enough lines. */
  async lastLines(lines: number, found: LastLines): Promise<Done> {
    const { size } = this.#options;
    const furthest = Math.max(4_194_304, lines * 1_024);
    for (let back = lookBack; back <= furthest; back *= 2) {
      const cursor = await this.#source.beforeEnd(back);
      if (!cursor || cursor.offset === 0) break;
      const first = await this.#source.read(cursor, block);
      if (first.missed > 0) break;
      found.clear();
      const { fold, rest } = afterFirstLine(size, cursor, first);
      const done = await this.#goThrough(fold, rest);
      // Rows of the first screenful may have been redrawn from what lies before them.
      if (found.count >= lines + size.rows && !fold.fold.beganInAlternate) return done;
      if (back * 2 > furthest) return done;
    }
    found.clear();
    const done = await this.fromOldest();
    return found.count >= lines ? { ...done, missed: 0 } : done;
  }

  async #goThrough(fold: JournalFold, first: ReadBytes): Promise<Done> {
    const { raw: isRaw, maxBytes, maxLines = never, signal, isEnded } = this.#options;
    const raw = isRaw ? new RawText((text) => this.#out.write(text)) : undefined;
    const begin = fold.offset;
    let missed = 0;
    let lines = 0;
    fold.fold.mark(raw ? () => {} : (text) => this.#out.write(text));
    for (let next = first, used = 0; ; next = await this.#source.read(next.cursor, this.#nextBlock(used))) {
      const chunk = isContiguous(fold, next) ? upToLine(next, maxLines - lines) : next;
      missed += take(fold, chunk, raw);
      used += chunk.bytes.length;
      if (maxLines !== never) lines += linesIn(chunk.bytes);
      const hasEnough = (used >= maxBytes || lines >= maxLines) && fold.cursor.offset !== begin && !fold.isUnsure;
      if (!chunk.atEnd && !hasEnough && !signal?.aborted) {
        await yieldToLoop();
        await this.#out.drained?.();
        continue;
      }
      if (chunk.atEnd && (isEnded() || fold.isUnsure)) {
        fold.fold.end();
        raw?.end();
      }
      fold.fold.writeScreen();
      return { cursor: fold.cursor, missed, atEnd: chunk.atEnd };
    }
  }

  // What the screen shows at a cursor; nothing when the bytes before it are no longer kept.
  async #lookBack(cursor: ReadCursor): Promise<JournalFold> {
    const { size } = this.#options;
    const { epoch, offset, look } = cursor;
    const back = look?.back ?? Math.min(offset, lookBack);
    let fold = new JournalFold(size, { epoch, offset: offset - back }, look?.place);
    for (let isFirst = !look && back < offset; fold.offset < offset; isFirst = false) {
      const chunk = await this.#source.read({ epoch, offset: fold.offset }, offset - fold.offset);
      if (chunk.bytes.length === 0 || chunk.missed > 0 || chunk.hole) return new JournalFold(size, cursor, look?.place);
      const next = isFirst ? afterFirstLine(size, { epoch, offset: fold.offset }, chunk) : { fold, rest: chunk };
      fold = next.fold;
      fold.write(next.rest.bytes, chunk.cursor.offset);
    }
    // A cursor is always behind a complete sequence: the program was killed before it printed the rest of this one.
    if (fold.fold.held > 0) fold.fold.end();
    return fold;
  }

  async #beginning(): Promise<number> {
    const { bytes, cursor } = await this.#source.read(undefined, 1);
    return bytes.length === 0 ? 0 : cursor.offset - bytes.length;
  }

  #nextBlock(used: number): number {
    return Math.max(1, Math.min(block, this.#options.maxBytes - used));
  }
}

// Where bytes are missing, or an exit mark was taken out, an index into the piece is not an offset in the journal.
function isContiguous(fold: JournalFold, { bytes, cursor }: ReadBytes): boolean {
  return cursor.epoch === fold.epoch && fold.offset + bytes.length === cursor.offset;
}

// The piece up to so many line ends. A piece that was cut is not the end of the journal.
function upToLine(chunk: ReadBytes, lines: number): ReadBytes {
  if (lines === never || chunk.bytes.length === 0) return chunk;
  let end = 0;
  for (let left = lines; left > 0; left--) {
    const at = chunk.bytes.indexOf(newline, end);
    if (at < 0) return chunk;
    end = at + 1;
  }
  const surplus = chunk.bytes.length - end;
  if (surplus === 0) return chunk;
  const { epoch, offset } = chunk.cursor;
  const cursor = { epoch, offset: offset - surplus };
  return { ...chunk, bytes: chunk.bytes.subarray(0, end), cursor, atEnd: false };
}

function linesIn(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) lines++;
  return lines;
}

/** Writes a piece of the journal; returns how many bytes are missing before it. */
function take(fold: JournalFold, chunk: ReadBytes, raw: RawText | undefined): number {
  const { epoch, offset } = chunk.cursor;
  if (chunk.missed > 0 || chunk.hole) {
    raw?.end();
    fold.resumeAt(epoch, epoch === fold.epoch ? fold.offset + chunk.missed : chunk.missed);
  }
  fold.write(chunk.bytes, offset);
  raw?.write(chunk.bytes, fold.fold.held);
  return chunk.missed + (chunk.hole ? 1 : 0);
}

// In the middle of a journal the beginning of a row is the best place to start.
function afterFirstLine(size: Size, { epoch, offset }: JournalCursor, chunk: ReadBytes) {
  const skip = chunk.bytes.indexOf(newline) + 1;
  return {
    fold: new JournalFold(size, { epoch, offset: offset + skip }),
    rest: { ...chunk, bytes: chunk.bytes.subarray(skip) },
  };
}
