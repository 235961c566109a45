/** A message of tmux in control mode: the answer to one command, or a notification. */
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
 * Parses control-mode text in chunks of any size.
 *
 * A block ends only at an `%end` or `%error` that repeats its `%begin` line's time, number and flags, so a pane title
 * that contains `%end` stays text. Output of a program could even guess the numbers. A request for such output is
 * therefore followed by a command that prints a seal, a random word, and only the seal closes the answer.
 */
export class ControlParser {
  #rest = "";
  #open: OpenBlock | undefined;
  readonly #seal: () => string | undefined;

  /** `seal` returns the seal of the request being answered, if it has one. */
  constructor(seal: () => string | undefined = () => undefined) {
    this.#seal = seal;
  }

  *feed(text: string): Generator<ControlMessage> {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) yield* this.#line(line);
  }

  *#line(line: string): Generator<ControlMessage> {
    if (!this.#open) return yield* this.#outside(line);
    const { ours, seal, lines } = this.#open;
    const closing = seal === undefined ? plainClosing(line, this.#open) : sealedClosing(line, this.#open, seal);
    if (!closing) {
      lines.push(line);
      return;
    }
    this.#open = undefined;
    yield { kind: "block", ours, ok: closing.ok, lines: closing.lines };
    for (const late of closing.behind) yield* this.#line(late);
  }

  *#outside(line: string): Generator<ControlMessage> {
    const [, tag, flags] = /^%begin (\d+ \d+ (\d+))$/.exec(line) ?? [];
    if (tag !== undefined) {
      // Flag 1 marks answers to this client's commands. Hooks that run on its behalf answer with 0, and so does the
      // attach.
      const ours = flags === "1";
      this.#open = { tag, ours, lines: [], seal: ours ? this.#seal() : undefined };
      return;
    }
    const [, name, rest] = /^%([a-z-]+) ?(.*)$/s.exec(line) ?? [];
    if (name !== undefined) yield { kind: "notification", name, rest: rest ?? "" };
  }
}

interface Closing {
  readonly ok: boolean;
  readonly lines: readonly string[];
  /** Notifications between a sealed answer and its seal. */
  readonly behind: readonly string[];
}

function plainClosing(line: string, { tag, lines }: OpenBlock): Closing | undefined {
  if (!line.startsWith("%e")) return undefined;
  if (line === `%end ${tag}`) return { ok: true, lines, behind: [] };
  return line === `%error ${tag}` ? { ok: false, lines, behind: [] } : undefined;
}

// %begin A / text … / %end A or %error A / notifications … / %begin B / SEAL / %end B.
// Text may imitate the end of A, so the last such line is the real one.
function sealedClosing(line: string, { tag, lines }: OpenBlock, seal: string): Closing | undefined {
  const sealed = lines.at(-1) === seal && line.startsWith("%end ") && lines.at(-2) === `%begin ${line.slice(5)}`;
  if (!sealed) return undefined;
  const end = lines.findLastIndex((text) => text === `%end ${tag}` || text === `%error ${tag}`);
  if (end < 0) return undefined;
  return { ok: lines[end] === `%end ${tag}`, lines: lines.slice(0, end), behind: lines.slice(end + 1, -2) };
}
