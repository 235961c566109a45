import type { JournalCursor, ReadCursor } from "./cursor.ts";
import { Fold, type Place } from "./fold.ts";
import type { Size } from "./fold-grid.ts";

/** How far before its cursor a read starts, to know what the screen shows. More than any usual screen takes to draw. */
export const lookBack = 65_536;

const checkpointEvery = 16_384;

/** A fold that knows its place in the journal, and gives the cursor for the next read. */
export class JournalFold {
  fold: Fold;
  #epoch: string;
  #offset: number;
  #checkpoints: { readonly offset: number; readonly place: Place }[] = [];
  #fromEpochStart: boolean;
  #isExact = true;

  constructor(size: Size, { epoch, offset }: JournalCursor, place?: Place) {
    this.#epoch = epoch;
    this.#offset = offset;
    this.#fromEpochStart = offset === 0;
    this.fold = new Fold(size, offset === 0 ? undefined : (place ?? unknownPlace(size)));
    this.#check(offset);
  }

  get epoch(): string {
    return this.#epoch;
  }

  get offset(): number {
    return this.#offset;
  }

  /** Bytes wait for the rest of a sequence, and an exit mark among the last ones hides their exact place. */
  get isUnsure(): boolean {
    return !this.#isExact && this.fold.held > 0;
  }

  /** Bytes of the journal up to an offset. They may be fewer than the distance: exit marks are not among them. */
  write(bytes: Uint8Array, upTo: number): void {
    this.#isExact = this.#offset + bytes.length === upTo;
    for (let at = 0; at < bytes.length; at += checkpointEvery) {
      const slice = bytes.subarray(at, at + checkpointEvery);
      this.fold.write(slice);
      this.#offset += slice.length;
      if (this.#isExact) this.#check(this.#offset);
    }
    this.#offset = upTo;
    if (!this.#isExact && this.fold.held === 0) this.#check(upTo);
  }

  /** Bytes are missing before what follows. */
  resumeAt(epoch: string, offset: number): void {
    this.fold = this.fold.breakOff();
    this.#epoch = epoch;
    this.#offset = offset;
    this.#checkpoints = [];
    this.#fromEpochStart = offset === 0;
    this.#check(offset);
  }

  /** Behind the last complete character and sequence. */
  get cursor(): ReadCursor {
    const offset = this.#offset - this.fold.held;
    const base = { epoch: this.#epoch, offset };
    if (this.#fromEpochStart && offset <= lookBack) return base;
    const found = this.#checkpoints.find((one) => one.offset <= offset && offset - one.offset <= lookBack);
    const { place } = this.fold;
    if (found) return { ...base, look: { back: offset - found.offset, place: found.place } };
    return place ? { ...base, look: { back: 0, place } } : base;
  }

  #check(offset: number): void {
    const { place } = this.fold;
    if (!place) return;
    this.#checkpoints.push({ offset: offset - this.fold.held, place });
    if (this.#checkpoints.length > 4 * (lookBack / checkpointEvery)) {
      this.#checkpoints = this.#checkpoints.filter((one) => offset - one.offset <= 2 * lookBack);
    }
  }
}

/** Somewhere in a long output a terminal is most likely at the bottom, at the beginning of a row. */
function unknownPlace({ rows }: Size): Place {
  return { row: rows - 1, column: 0, isAlternate: false, drawsLines: false, inside: "" };
}
