import { backBy } from "../model/cursor.ts";
import { plainText } from "../model/plain-text.ts";
import type { Runtime } from "./runtime.ts";

export interface NewOutput {
  readonly text: string;
  /** Where the next read goes on. */
  readonly cursor: string;
  readonly hasMore: boolean;
}

/** What a journal holds after a cursor, as plain text: at most so many lines, and the rest stays for the next read. */
export async function newOutput(
  rt: Runtime,
  host: string,
  journal: string,
  from: string,
  lines: number,
): Promise<NewOutput> {
  const pieces: Uint8Array[] = [];
  for (let cursor = from === "" ? undefined : from, left = lines, budget = mostBytes; ; ) {
    const chunk = await rt.terminals.read(host, journal, cursor, Math.min(chunkBytes, budget));
    const { end, lines: counted } = endOfLines(chunk.bytes, left);
    const isFull = counted >= left;
    const cut = isFull ? end : chunk.atEnd ? wholeLength(chunk.bytes) : chunk.bytes.length;
    pieces.push(chunk.bytes.subarray(0, cut));
    left -= counted;
    budget -= cut;
    cursor = backBy(chunk.cursor, chunk.bytes.length - cut);
    if (isFull || chunk.atEnd || budget <= 0) {
      const text = plainText(Buffer.concat(pieces));
      return { text, cursor, hasMore: !chunk.atEnd || cut < wholeLength(chunk.bytes) };
    }
  }
}

const chunkBytes = 65_536;
const mostBytes = 4_194_304;
const newline = 10;
const escapeByte = 27;

/** Where the n-th line ends, or how many lines there are if they are fewer. */
export function endOfLines(bytes: Uint8Array, wanted: number): { readonly end: number; readonly lines: number } {
  let lines = 0;
  let end = 0;
  for (let at = bytes.indexOf(newline); at >= 0 && lines < wanted; at = bytes.indexOf(newline, at + 1)) {
    lines++;
    end = at + 1;
  }
  return { end, lines };
}

/** How many of the bytes are whole: the last character or escape sequence may still be on its way. */
export function wholeLength(bytes: Uint8Array): number {
  const last = bytes.lastIndexOf(escapeByte);
  const tail = last < 0 ? "" : Buffer.from(bytes.subarray(last, last + longestSequence + 1)).toString("latin1");
  if (last >= 0 && tail.length <= longestSequence && unfinished.test(tail)) return last;
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

const longestSequence = 256;
// ESC alone, a CSI without its letter, an OSC without its end, a charset without its name.
const unfinished = /^\u001b(?:\[[0-?]*[ -/]*|\][^\u0007]*|[ -/]+)?$/;
