/** What a program sent to its terminal beside its text: an OSC sequence (the part behind `ESC ]`), or a full reset. */
export type Sequence =
  | { readonly kind: "osc"; readonly body: string; readonly end: number }
  | { readonly kind: "reset"; readonly end: number };

/**
 * Finds OSC sequences in output that comes in pieces. What is cut in two is put together, what is too long or never
 * ends properly is left out, and no more than one sequence is kept. `end` counts from the piece's first byte.
 *
 * As in tmux, other strings (DCS, APC, a title) hide what is in them; but a program may wrap a sequence in `ESC P tmux;`
 * for the terminal around tmux, with every ESC doubled: that sequence is found too.
 */
export class Sequences {
  #state: State = "text";
  #body: number[] = [];
  #isTooLong = false;
  #inner: Sequences | undefined;

  write(bytes: Uint8Array): readonly Sequence[] {
    const found: Sequence[] = [];
    for (let at = 0; at < bytes.length; at++) {
      if (this.#state === "text") {
        at = bytes.indexOf(esc, at);
        if (at < 0) break;
      }
      const kind = this.#step(bytes[at] ?? 0);
      if (kind) found.push(kind === "reset" ? { kind, end: at + 1 } : { kind: "osc", body: kind.osc, end: at + 1 });
    }
    return found;
  }

  #step(byte: number): Found {
    switch (this.#state) {
      case "text":
        return this.#go(byte === esc ? "escape" : "text");
      case "escape":
        return this.#begin(byte);
      case "osc":
        return this.#collect(byte);
      case "osc-escape":
        return byte === backslash ? this.#ended() : this.#begin(byte);
      case "string":
      case "string-escape":
        return this.#skip(byte);
      case "dcs":
        return this.#name(byte);
      case "wrapped":
      case "wrapped-escape":
        return this.#unwrap(byte);
    }
  }

  #begin(byte: number): Found {
    this.#body = [];
    this.#isTooLong = false;
    if (byte === letter.c) this.#state = "text";
    else if (byte === letter.osc) this.#state = "osc";
    else if (byte === letter.dcs) this.#state = "dcs";
    else if (strings.has(byte)) this.#state = "string";
    else this.#state = byte === esc ? "escape" : "text";
    return byte === letter.c ? "reset" : undefined;
  }

  #collect(byte: number): Found {
    if (byte === bell) return this.#ended();
    if (byte === esc) return this.#go("osc-escape");
    if (isAbort(byte)) return this.#go("text");
    if (byte < 0x20) return undefined;
    if (this.#body.length >= maxLength) this.#isTooLong = true;
    else this.#body.push(byte);
    return undefined;
  }

  #ended(): Found {
    const osc = String.fromCharCode(...this.#body);
    this.#body = [];
    this.#state = "text";
    return this.#isTooLong ? undefined : { osc };
  }

  // `ESC P`: is it `tmux;`?
  #name(byte: number): Found {
    if (byte !== tmux.charCodeAt(this.#body.length)) return this.#go(byte === esc ? "string-escape" : "string");
    this.#body.push(byte);
    if (this.#body.length < tmux.length) return undefined;
    this.#inner = undefined;
    return this.#go("wrapped");
  }

  #skip(byte: number): Found {
    if (byte === esc) return this.#go("string-escape");
    const isOver = this.#state === "string-escape" ? byte === backslash : isAbort(byte);
    return this.#go(isOver ? "text" : "string");
  }

  #unwrap(byte: number): Found {
    const isEscaped = this.#state === "wrapped-escape";
    if (byte === esc && !isEscaped) return this.#go("wrapped-escape");
    if (isEscaped && byte !== esc) return this.#go(byte === backslash ? "text" : "string");
    this.#state = "wrapped";
    const inner = this.#inner ?? new Sequences();
    this.#inner = inner;
    return inner.#step(byte);
  }

  #go(state: State): undefined {
    this.#state = state;
  }
}

type State =
  | "text"
  | "escape"
  | "osc"
  | "osc-escape"
  | "string"
  | "string-escape"
  | "dcs"
  | "wrapped"
  | "wrapped-escape";
type Found = "reset" | { readonly osc: string } | undefined;

const maxLength = 4_096;
const tmux = "tmux;";
const bell = 0x07;
const esc = 0x1b;
const backslash = 0x5c;
const letter = { osc: 0x5d, dcs: 0x50, c: 0x63 } as const;
/** APC, PM, SOS, and tmux's own way to name a window. */
const strings: ReadonlySet<number> = new Set([0x5f, 0x5e, 0x58, 0x6b]);

function isAbort(byte: number): boolean {
  return byte === 0x18 || byte === 0x1a;
}
