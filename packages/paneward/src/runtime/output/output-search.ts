import { LineSearch } from "../../model/output/wait.ts";
import type { World } from "../world.ts";
import { JournalRead } from "./journal-read.ts";
import { journalSource } from "./journal-source.ts";
import { searchInTime } from "./pattern.ts";
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
    const search = new LineSearch(this.#patterns, rest);
    const options = {
      size: sizeOf(terminal),
      raw: false,
      most: maxAtOnce,
      signal: this.#signal,
      isEnded: () => isEnded(this.#world, id),
    };
    const pieces = gathered((text) => searchInTime(() => search.write(text)));
    const journal = new JournalRead(journalSource(this.#world, terminal.host, terminal.journal), options, pieces);
    const done = await (cursor === undefined ? journal.fromOldest() : journal.since(cursor));
    pieces.end();
    this.#places.set(id, { cursor: done.cursor, rest: search.rest });
    if (search.rest === "") this.cursors[id] = done.cursor;
    return searchInTime(() => search.match);
  }
}

// The reader writes line by line, and each search in time costs something by itself.
function gathered(search: (text: string) => void): { write(text: string): void; end(): void } {
  let waiting = "";
  const end = () => {
    search(waiting);
    waiting = "";
  };
  return {
    end,
    write(text) {
      waiting += text;
      if (waiting.length > 65_536) end();
    },
  };
}
