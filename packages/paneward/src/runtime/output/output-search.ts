import type { World } from "../world.ts";
import { JournalRead, type TextOut } from "./journal-read.ts";
import { journalSource } from "./journal-source.ts";
import { type LinesFound, searchLines } from "./pattern.ts";
import { isEnded, maxAtOnce, sizeOf } from "./reader.ts";

/** Searches each terminal's output for patterns, as `read` would tell it, each time from where it stopped. */
export class OutputSearch {
  readonly #world: World;
  readonly #patterns: readonly RegExp[];
  readonly #signal: AbortSignal | undefined;
  readonly #places = new Map<string, { readonly cursor: string; readonly rest: string }>();
  /** Where each search can begin again later: behind the last read that ended with a whole line. */
  readonly cursors: Record<string, string>;

  constructor(
    world: World,
    patterns: readonly RegExp[],
    cursors: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ) {
    this.#world = world;
    this.#patterns = patterns;
    this.#signal = signal;
    this.cursors = { ...cursors };
  }

  /** The first line that matches, if there is one by now. */
  async in(id: string): Promise<string | undefined> {
    const terminal = this.#world.store.terminal(id);
    if (!terminal || this.#patterns.length === 0) return undefined;
    const { cursor, rest } = this.#places.get(id) ?? { cursor: this.cursors[id], rest: "" };
    const search = new PieceSearch(this.#patterns, rest);
    const options = {
      size: sizeOf(terminal),
      raw: false,
      most: maxAtOnce,
      signal: this.#signal,
      isEnded: () => isEnded(this.#world, id),
    };
    const journal = new JournalRead(journalSource(this.#world, terminal.host, terminal.journal), options, search);
    const done = await (cursor === undefined ? journal.fromOldest() : journal.since(cursor));
    const found = await search.end();
    this.#places.set(id, { cursor: done.cursor, rest: found.rest });
    if (found.rest === "") this.cursors[id] = done.cursor;
    return found.match;
  }
}

/** Gathers what the reader writes line by line, and has it searched in larger pieces, one after the other. */
class PieceSearch implements TextOut {
  readonly #patterns: readonly RegExp[];
  #text = "";
  #last: Promise<LinesFound>;

  constructor(patterns: readonly RegExp[], rest: string) {
    this.#patterns = patterns;
    this.#last = Promise.resolve({ whole: undefined, match: undefined, rest });
  }

  write(text: string): void {
    this.#text += text;
    if (this.#text.length > pieceLength) this.#send();
  }

  async drained(): Promise<void> {
    await this.#last;
  }

  end(): Promise<LinesFound> {
    this.#send();
    return this.#last;
  }

  #send(): void {
    const text = this.#text;
    this.#text = "";
    this.#last = this.#last.then(async ({ whole, rest }) => {
      const next = await searchLines(this.#patterns, text, rest);
      return whole === undefined ? next : { ...next, whole, match: whole };
    });
    // `drained` and `end` report a failure.
    this.#last.catch(() => {});
  }
}

const pieceLength = 65_536;
