import { formatCursor, formatReadCursor, readCursorFrom } from "../../model/output/cursor.ts";
import type { JournalCursor, WorkspacePane } from "../ports.ts";
import type { World } from "../world.ts";
import { JournalRead, journalSource } from "./journal-read.ts";
import { sizeOf } from "./reader.ts";

export interface NewOutput {
  readonly text: string;
  /** Where the next read begins. */
  readonly cursor: string;
  readonly hasMore: boolean;
}

/** What a pane printed after a cursor, as plain text: about so many lines; the rest is for the next read. */
export async function newOutput(
  world: World,
  host: string,
  { journal, columns, rows, end }: WorkspacePane,
  from: string,
  lines: number,
): Promise<NewOutput> {
  const pieces: string[] = [];
  const options = {
    size: sizeOf({ columns, rows }),
    raw: false,
    maxBytes,
    maxLines: lines,
    signal: undefined,
    isEnded: () => end !== undefined,
  };
  const read = new JournalRead(journalSource(world.terminals, { host, journal }), options, {
    write: (text) => pieces.push(text),
  });
  const { cursor, atEnd } = await (from === "" ? read.fromOldest() : read.since(readCursorFrom(from)));
  return { text: pieces.join(""), cursor: formatReadCursor(cursor), hasMore: !atEnd };
}

/** A cursor as it is kept between calls; empty for a journal without one. */
export function keptCursor(cursor: JournalCursor | undefined): string {
  return cursor === undefined ? "" : formatCursor(cursor);
}

/** The cursor that was kept. */
export function cursorKept(text: string): JournalCursor | undefined {
  return text === "" ? undefined : readCursorFrom(text);
}

const maxBytes = 4_194_304;
