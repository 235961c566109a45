/** How far a file that others append lines to has been read. */
export interface Tail {
  /** Identifies the file: a different one is read from its first byte. */
  readonly file: string;
  /** The first byte that belongs to no complete line yet. */
  readonly offset: number;
  /** The beginning of the next line was not read, so the rest of it is skipped. */
  readonly isCut: boolean;
}

export interface FileNow {
  readonly file: string;
  readonly size: number;
}

/** What to read next; undefined when nothing was appended. A file that was replaced or cut is read from its beginning. */
export function nextRead(tail: Tail | undefined, now: FileNow): (Tail & { readonly length: number }) | undefined {
  const isSame = tail?.file === now.file && tail.offset <= now.size;
  const back = Math.max(0, now.size - firstBytes);
  const from = isSame ? tail : { file: now.file, offset: tail ? 0 : back, isCut: !tail && back > 0 };
  const length = Math.min(now.size - from.offset, maxLineBytes);
  return length > 0 || from !== tail ? { ...from, length } : undefined;
}

/** The complete lines among the bytes that were read, and where to continue. An incomplete line is read again later. */
export function linesIn(from: Tail, bytes: Uint8Array): { readonly tail: Tail; readonly lines: readonly string[] } {
  const end = bytes.lastIndexOf(lineEnd) + 1;
  // A line that is longer than all that is read at once cannot be used: it is left out.
  if (end === 0) {
    const isLong = bytes.length >= maxLineBytes;
    return { tail: isLong ? { ...from, offset: from.offset + bytes.length, isCut: true } : from, lines: [] };
  }
  const lines = new TextDecoder()
    .decode(bytes.subarray(0, end))
    .split("\n")
    .slice(from.isCut ? 1 : 0, -1);
  return { tail: { file: from.file, offset: from.offset + end, isCut: false }, lines };
}

/** So much of a file's end is read when it is met: what a daemon that was away missed. */
const firstBytes = 4_194_304;
const maxLineBytes = 16_777_216;
const lineEnd = 10;
