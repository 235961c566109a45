import { formatReadCursor, type ReadCursor, readCursorFrom } from "../../model/output/cursor.ts";
import type { Caller } from "../calls.ts";
import type { World } from "../world.ts";
import { JournalRead, journalSource, type TextOut } from "./journal-read.ts";
import { isEnded } from "./news.ts";
import { type LinesFound, searchLines } from "./pattern.ts";
import { maxAtOnce, sizeOf } from "./reader.ts";

/** Searches each terminal's output for patterns, in the text that `read` gives, each time from where it stopped. */
export class OutputSearch {
  readonly #world: Pick<World, "store" | "terminals">;
  readonly #patterns: readonly RegExp[];
  readonly #caller: Pick<Caller, "who" | "signal">;
  readonly #places = new Map<string, { readonly cursor: ReadCursor; readonly rest: string }>();
  /** Where each search can resume: behind the last read that ended with a complete line. */
  readonly #resumable: Map<string, ReadCursor>;

  constructor(
    world: Pick<World, "store" | "terminals">,
    patterns: readonly RegExp[],
    cursors: Readonly<Record<string, string>>,
    caller: Pick<Caller, "who" | "signal">,
  ) {
    this.#world = world;
    this.#patterns = patterns;
    this.#caller = caller;
    this.#resumable = new Map(Object.entries(cursors).map(([id, cursor]) => [id, readCursorFrom(cursor)]));
  }

  /** For a resume token. */
  get cursors(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.#resumable].map(([id, cursor]) => [id, formatReadCursor(cursor)]));
  }

  /** The first line that matches, if there is one by now. */
  async searchIn(id: string): Promise<string | undefined> {
    const terminal = this.#world.store.terminal(id);
    if (!terminal || this.#patterns.length === 0) return undefined;
    const { cursor, rest } = this.#places.get(id) ?? { cursor: this.#resumable.get(id), rest: "" };
    const search = new PieceSearch(this.#caller, this.#patterns, rest);
    const options = {
      size: sizeOf(terminal),
      raw: false,
      maxBytes: maxAtOnce,
      signal: this.#caller.signal,
      isEnded: () => isEnded(this.#world, id),
    };
    const journal = new JournalRead(journalSource(this.#world.terminals, terminal), options, search);
    const done = await (cursor === undefined ? journal.fromOldest() : journal.since(cursor));
    const found = await search.end();
    this.#places.set(id, { cursor: done.cursor, rest: found.rest });
    if (found.rest === "") this.#resumable.set(id, done.cursor);
    return found.match;
  }
}

/** Gathers what the reader writes line by line, and has it searched in larger pieces, one after the other. */
class PieceSearch implements TextOut {
  readonly #caller: Pick<Caller, "who" | "signal">;
  readonly #patterns: readonly RegExp[];
  #text = "";
  #last: Promise<LinesFound>;

  constructor(caller: Pick<Caller, "who" | "signal">, patterns: readonly RegExp[], rest: string) {
    this.#caller = caller;
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
      const next = await searchLines(this.#caller, this.#patterns, text, rest);
      return whole === undefined ? next : { ...next, whole, match: whole };
    });
    // `drained` and `end` report a failure.
    this.#last.catch(() => {});
  }
}

const pieceLength = 65_536;
