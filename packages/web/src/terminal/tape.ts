/** A recording: pieces of output, and the times at which offsets were reached. */
export interface Tape {
  readonly bytes: Uint8Array;
  /** Byte and millisecond of playing time, in order; long pauses are shortened. */
  readonly marks: readonly (readonly [number, number])[];
  readonly lengthMs: number;
}

interface Piece {
  readonly epoch: string;
  /** The offset after the last byte, within its epoch. */
  readonly end: number;
  readonly bytes: Uint8Array;
}

interface Part {
  readonly epoch: string;
  readonly times: readonly (readonly [number, number])[];
}

const maxPauseMs = 2_000;

export function tapeOf(pieces: readonly Piece[], parts: readonly Part[]): Tape {
  const bytes = joined(pieces.map((piece) => piece.bytes));
  const reached: (readonly [number, number])[] = [];
  for (const { epoch, times } of parts) {
    for (const [offset, ms] of times) reached.push([placeOf(pieces, epoch, offset), ms]);
  }
  const marks: (readonly [number, number])[] = [[0, 0]];
  let before = reached[0]?.[1] ?? 0;
  for (const [at, ms] of reached) {
    const time = (marks.at(-1)?.[1] ?? 0) + Math.min(maxPauseMs, Math.max(0, ms - before));
    before = ms;
    marks.push([Math.min(bytes.length, at), time]);
  }
  const lengthMs = Math.max(1, marks.at(-1)?.[1] ?? 1);
  return { bytes, marks: [...marks, [bytes.length, lengthMs]], lengthMs };
}

/** The number of bytes printed at a playing time. */
export function bytesAt({ marks }: Tape, ms: number): number {
  let found = 0;
  for (const [byte, at] of marks) if (at <= ms) found = Math.max(found, byte);
  return found;
}

// Exit marks are stripped from the pieces, so offsets are counted within the pieces.
function placeOf(pieces: readonly Piece[], epoch: string, offset: number): number {
  let at = 0;
  for (const piece of pieces) {
    if (piece.epoch > epoch) break;
    const begin = piece.end - piece.bytes.length;
    if (piece.epoch < epoch || piece.end <= offset) at += piece.bytes.length;
    else return at + Math.max(0, offset - begin);
  }
  return at;
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
