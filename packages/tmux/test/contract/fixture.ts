import { join } from "node:path";
import { type Journal, openJournal, readJournal } from "../../src/journal.ts";
import { snapshot } from "../../src/pane.ts";
import type { JournalCursor } from "../../src/protocol/cursor.ts";
import type { Exit } from "../../src/protocol/formats.ts";
import type { PaneId } from "../../src/protocol/names.ts";
import type { PrivateServerOptions, Server } from "../../src/server.ts";
import { type OpenedPane, openSession, type ProgramSpec, type Size } from "../../src/terminal.ts";
import type { Cleanup } from "../support/folder.ts";
import { type Place, privateServer, type TestServer } from "../support/place.ts";
import { until } from "../support/until.ts";

export type PlaceOf = () => Place;

export const sleeper = ["sleep", "100000"];
export const shell = (script: string, ...args: readonly string[]) => ["sh", "-c", script, "sh", ...args];

export interface Terminal extends TestServer, OpenedPane {
  readonly journal: Journal;
}

/** A private server with one program in the session `work`, and its journal. */
export async function openTerminal(
  t: Cleanup,
  place: Place,
  program: readonly string[] | ((folder: string) => readonly string[]),
  spec: Partial<ProgramSpec> & { readonly size?: Size; readonly server?: Partial<PrivateServerOptions> } = {},
): Promise<Terminal> {
  const { server, folder } = await privateServer(t, place, spec.server);
  const journal = spec.journal ?? (await openJournal(server.files, join(folder, "journal")));
  const argv = typeof program === "function" ? program(folder) : program;
  const opened = await openSession(server, { name: "work", size: { columns: 80, rows: 24 }, ...spec, argv, journal });
  return { server, folder, journal, ...opened };
}

export interface Whole {
  readonly bytes: Buffer;
  readonly text: string;
  readonly missed: number;
  readonly holes: number;
  readonly cursor: JournalCursor;
}

/** Everything in a journal from a cursor on. */
export async function wholeJournal(journal: Journal, from?: JournalCursor, max = 1_048_576): Promise<Whole> {
  const pieces: Buffer[] = [];
  let missed = 0;
  let holes = 0;
  for (let cursor = from; ; ) {
    const chunk = await readJournal(journal, cursor, max);
    pieces.push(chunk.bytes);
    missed += chunk.missed;
    holes += chunk.hole ? 1 : 0;
    cursor = chunk.cursor;
    if (!chunk.atEnd) continue;
    const bytes = Buffer.concat(pieces);
    return { bytes, text: bytes.toString(), missed, holes, cursor };
  }
}

/** Waits until tmux knows how the program in a pane ended; the exit of another child may be needed to make it check. */
export function ended(server: Server, pane: PaneId): Promise<Exit> {
  return until(`the program in ${pane} ended`, async () => {
    await server.run([["run-shell", "true"]]);
    return (await snapshot(server)).find((row) => row.pane === pane)?.exit;
  });
}

/** Waits until a journal contains a text. */
export function printed(journal: Journal, text: string): Promise<Whole> {
  return until(`the journal contains ${JSON.stringify(text)}`, async () => {
    const whole = await wholeJournal(journal);
    return whole.text.includes(text) ? whole : undefined;
  });
}
