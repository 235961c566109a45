import type { WorkspacePane } from "../ports.ts";
import type { World } from "../world.ts";
import { JournalRead } from "./journal-read.ts";
import { journalSource } from "./journal-source.ts";
import { sizeOf } from "./reader.ts";

export interface NewOutput {
  readonly text: string;
  /** Where the next read goes on. */
  readonly cursor: string;
  readonly hasMore: boolean;
}

/** What a pane printed after a cursor, as plain text: about so many lines, and the rest stays for the next read. */
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
    most: maxBytes,
    maxLines: lines,
    signal: undefined,
    isEnded: () => end !== undefined,
  };
  const read = new JournalRead(journalSource(world, host, journal), options, { write: (text) => pieces.push(text) });
  const { cursor, atEnd } = await (from === "" ? read.fromOldest() : read.since(from));
  return { text: pieces.join(""), cursor, hasMore: !atEnd };
}

const maxBytes = 4_194_304;
