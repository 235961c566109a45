/** What terminal bytes mean, one item at a time. */
export interface Spoken {
  /** Printable ASCII. */
  ascii(run: string): void;
  /** Characters beyond ASCII. */
  characters(text: string): void;
  /** A control character: line feed, carriage return, … */
  control(code: number): void;
  /** `ESC`, intermediates, final; C1 controls come as the `ESC` pair that means the same. */
  escape(intermediates: string, final: string): void;
  /** `CSI`: parameters with their private prefix, intermediates, final. */
  csi(parameters: string, intermediates: string, final: string): void;
}

/** Strings that are skipped up to their end: OSC also ends with BEL, the others (DCS, SOS, PM, APC, titles) do not. */
export type Inside = "" | "osc" | "string";

const esc = 0x1b;
const maxSequence = 256;
/** The end of a string this long is not awaited any more: a read may stop inside it. */
const maxString = 4_096;

/** Takes terminal bytes apart, however they are split. Time is linear, and what it keeps between writes is small. */
export class ByteReader {
  inside: Inside = "";
  #carry: Uint8Array = new Uint8Array(0);
  #insideBytes = 0;
  readonly #spoken: Spoken;

  constructor(spoken: Spoken) {
    this.#spoken = spoken;
  }

  /** How many of the last bytes belong to a character or a sequence that is not complete yet. */
  get held(): number {
    const string = this.#insideBytes > maxString ? 0 : this.#insideBytes;
    return this.inside === "" ? this.#carry.length : string + (string > 0 ? this.#carry.length : 0);
  }

  /** Which string another reader must be inside of to continue at the held bytes; undefined when it cannot. */
  get resumesInside(): Inside | undefined {
    if (this.inside === "" || this.held > 0) return "";
    return this.#carry.length === 0 ? this.inside : undefined;
  }

  write(more: Uint8Array): void {
    const bytes = this.#carry.length === 0 ? more : joined(this.#carry, more);
    this.#carry = new Uint8Array(0);
    const latin = asciiOf.decode(bytes);
    for (let at = 0; at < bytes.length; ) {
      const next = this.inside === "" ? this.#next(bytes, latin, at) : this.#skip(bytes, at);
      if (next < 0) {
        this.#carry = bytes.slice(at);
        return;
      }
      at = next;
    }
  }

  /** Nothing follows: an incomplete sequence stays incomplete. */
  end(): void {
    const [first = 0] = this.#carry;
    if (this.inside === "" && first >= 0x80) this.#spoken.characters("\ufffd");
    this.#carry = new Uint8Array(0);
    this.#leaveString();
  }

  // Where the next item begins; -1 when this one is not complete.
  #next(bytes: Uint8Array, latin: string, at: number): number {
    const byte = bytes[at] ?? 0;
    if (byte >= 0x20 && byte < 0x7f) return this.#ascii(bytes, latin, at);
    if (byte >= 0x80 && !isC1(bytes, at)) return this.#characters(bytes, at);
    if (byte === esc || byte >= 0x80) return this.#sequence(bytes, latin, at);
    this.#spoken.control(byte);
    return at + 1;
  }

  #ascii(bytes: Uint8Array, latin: string, at: number): number {
    let end = at + 1;
    for (let byte = bytes[end] ?? 0; byte >= 0x20 && byte < 0x7f; byte = bytes[end] ?? 0) end++;
    this.#spoken.ascii(latin.slice(at, end));
    return end;
  }

  #characters(bytes: Uint8Array, at: number): number {
    let end = at + 1;
    while ((bytes[end] ?? 0) >= 0x80 && !isC1(bytes, end)) end++;
    if (end === bytes.length) end = at + wholeCharacters(bytes.subarray(at));
    if (end === at) return -1;
    this.#spoken.characters(utf8.decode(bytes.subarray(at, end)));
    return end;
  }

  // ESC [ and its C1 form are both two bytes long, as are all pairs.
  #sequence(bytes: Uint8Array, latin: string, at: number): number {
    if (at + 1 >= bytes.length) return -1;
    const second = bytes[at] === esc ? (bytes[at + 1] ?? 0) : (bytes[at + 1] ?? 0) - 0x40;
    if (second === 0x5b) return this.#csi(bytes, latin, at);
    if (second === 0x5d) return this.#enterString("osc", at);
    if (strings.has(second)) return this.#enterString("string", at);
    if (second < 0x20 || second > 0x7e) return at + 1;
    if (bytes[at] !== esc || second >= 0x30) {
      this.#spoken.escape("", String.fromCharCode(second));
      return at + 2;
    }
    const end = pastRange(bytes, at + 1, 0x20, 0x2f);
    if (end === bytes.length) return end - at > maxSequence ? end : -1;
    if ((bytes[end] ?? 0) < 0x30 || (bytes[end] ?? 0) > 0x7e) return end;
    this.#spoken.escape(latin.slice(at + 1, end), latin.charAt(end));
    return end + 1;
  }

  #csi(bytes: Uint8Array, latin: string, at: number): number {
    const parametersEnd = pastRange(bytes, at + 2, 0x30, 0x3f);
    const end = pastRange(bytes, parametersEnd, 0x20, 0x2f);
    if (end === bytes.length) return end - at > maxSequence ? end : -1;
    const final = bytes[end] ?? 0;
    if (final < 0x40 || final > 0x7e) return end;
    if (end - at <= maxSequence) {
      this.#spoken.csi(latin.slice(at + 2, parametersEnd), latin.slice(parametersEnd, end), latin.charAt(end));
    }
    return end + 1;
  }

  #enterString(inside: Inside, at: number): number {
    this.inside = inside;
    this.#insideBytes = 2;
    return at + 2;
  }

  // A string ends with ST or, if it is an OSC, BEL; any other ESC, CAN and SUB break it off.
  #skip(bytes: Uint8Array, from: number): number {
    const at = this.#stringEnd(bytes, from);
    const isCut = at === bytes.length - 1 && (bytes[at] === esc || bytes[at] === 0xc2);
    if (at === bytes.length || isCut) {
      this.#insideBytes += at - from;
      return isCut && at === from ? -1 : at;
    }
    this.#leaveString();
    if (bytes[at] === esc) return bytes[at + 1] === 0x5c ? at + 2 : at;
    return bytes[at] === 0xc2 ? at + 2 : at + 1;
  }

  #stringEnd(bytes: Uint8Array, from: number): number {
    const bell = this.inside === "osc" ? 0x07 : 0x18;
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      if (byte === esc || byte === bell || byte === 0x18 || byte === 0x1a) return at;
      if (byte === 0xc2 && (bytes[at + 1] ?? 0x9c) === 0x9c) return at;
    }
    return bytes.length;
  }

  #leaveString(): void {
    this.inside = "";
    this.#insideBytes = 0;
  }
}

// P, X, ^ and _ are the standard's; ESC k sets a window's title in tmux and screen.
const strings = new Set([0x50, 0x58, 0x5e, 0x5f, 0x6b]);
const asciiOf = new TextDecoder("latin1");
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

function isC1(bytes: Uint8Array, at: number): boolean {
  const next = bytes[at + 1] ?? 0;
  return bytes[at] === 0xc2 && next >= 0x80 && next <= 0x9f;
}

function pastRange(bytes: Uint8Array, from: number, low: number, high: number): number {
  let at = from;
  while (at < bytes.length && (bytes[at] ?? 0) >= low && (bytes[at] ?? 0) <= high) at++;
  return at;
}

/** Where the last complete character ends. */
function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    return lengthOfCharacter(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function lengthOfCharacter(first: number): number {
  if (first < 0xc2 || first > 0xf4) return 1;
  return first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
