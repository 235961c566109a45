/** What tmux says in control mode: the answer to one command, or news. */
export type ControlMessage =
  | { readonly kind: "block"; readonly ok: boolean; readonly ours: boolean; readonly lines: readonly string[] }
  | { readonly kind: "notification"; readonly name: string; readonly rest: string };

interface OpenBlock {
  readonly tag: string;
  readonly ours: boolean;
  readonly lines: string[];
  readonly seal: string | undefined;
}

/**
 * Reads control-mode text in pieces of any size.
 *
 * A block ends only at an `%end` or `%error` that repeats its `%begin` line's time, number and flags, so a pane title
 * that says `%end` stays text. What a program printed may even guess the numbers: such a request is sent with a seal,
 * a random word that a second command of its line prints, and only the seal closes the answer.
 */
export class ControlParser {
  #rest = "";
  #open: OpenBlock | undefined;
  readonly #seal: () => string | undefined;

  /** `seal` tells which seal the request that is answered now carries, if any. */
  constructor(seal: () => string | undefined = () => undefined) {
    this.#seal = seal;
  }

  *feed(text: string): Generator<ControlMessage> {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      const message = this.#open ? this.#inside(line, this.#open) : this.#outside(line);
      if (message) yield message;
    }
  }

  #inside(line: string, open: OpenBlock): ControlMessage | undefined {
    const closing = open.seal === undefined ? plainClosing(line, open) : sealedClosing(line, open, open.seal);
    if (!closing) {
      open.lines.push(line);
      return undefined;
    }
    this.#open = undefined;
    return { kind: "block", ours: open.ours, ...closing };
  }

  #outside(line: string): ControlMessage | undefined {
    const [, tag, flags] = /^%begin (\d+ \d+ (\d+))$/.exec(line) ?? [];
    if (tag !== undefined) {
      // Flag 1 marks what this client asked for. Hooks that run on its behalf answer with 0, and so does the attach.
      const ours = flags === "1";
      this.#open = { tag, ours, lines: [], seal: ours ? this.#seal() : undefined };
      return undefined;
    }
    const [, name, rest] = /^%([a-z-]+) ?(.*)$/s.exec(line) ?? [];
    return name === undefined ? undefined : { kind: "notification", name, rest: rest ?? "" };
  }
}

interface Closing {
  readonly ok: boolean;
  readonly lines: readonly string[];
}

function plainClosing(line: string, { tag, lines }: OpenBlock): Closing | undefined {
  if (line === `%end ${tag}`) return { ok: true, lines };
  return line === `%error ${tag}` ? { ok: false, lines } : undefined;
}

// %begin A / text … / %end A / %begin B / SEAL / %end B. A refusal has one line of text and no second block.
function sealedClosing(line: string, { tag, lines }: OpenBlock, seal: string): Closing | undefined {
  if (lines.length === 1 && line === `%error ${tag}`) return { ok: false, lines };
  const sealed =
    lines.at(-1) === seal &&
    line.startsWith("%end ") &&
    lines.at(-2) === `%begin ${line.slice(5)}` &&
    lines.at(-3) === `%end ${tag}`;
  return sealed ? { ok: true, lines: lines.slice(0, -3) } : undefined;
}
