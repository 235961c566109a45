import {
  emptyJournal,
  formatCursor,
  isSameCursor,
  type JournalCursor,
  readCursorFrom,
} from "../../model/output/cursor.ts";
import type { TerminalRecord } from "../../model/records.ts";
import type { Picture, ReadBytes } from "../ports.ts";
import { resolveTerminal } from "../resolve.ts";
import type { World } from "../world.ts";
import { listenForOutput, type NewsDeps } from "./news.ts";

/** What a live view of a terminal gets, in order. */
export type StreamFrame =
  | { readonly kind: "picture"; readonly picture: Omit<Picture, "cursor"> & { readonly cursor?: string } }
  | { readonly kind: "size"; readonly columns: number; readonly rows: number }
  /** The cursor is behind the bytes: a view that has drawn them resumes there, and gets none twice. */
  | { readonly kind: "bytes"; readonly bytes: Uint8Array; readonly cursor: string }
  | { readonly kind: "missed"; readonly bytes: number };

export interface StreamOptions {
  /** Where an earlier view stopped. Without one a live view starts with a picture. */
  readonly cursor?: string;
  /** All that is kept, from the oldest byte to the present end; then the stream ends. */
  readonly replay?: boolean;
  readonly signal: AbortSignal;
}

export type StreamDeps = Pick<World, "clock" | "store" | "terminals"> & NewsDeps;

const block = 131_072;
const linesAbove = 2_000;
const tailBytes = 262_144;
const lookForSizeMs = 1_000;
const waitMs = 3_600_000;

export function terminalFrames(deps: StreamDeps, id: string, options: StreamOptions): AsyncGenerator<StreamFrame> {
  const terminal = resolveTerminal(deps, id);
  return options.replay ? recorded(deps, terminal, options.signal) : live(deps, terminal, options);
}

async function* recorded(deps: StreamDeps, terminal: TerminalRecord, signal: AbortSignal): AsyncGenerator<StreamFrame> {
  yield sizeOf(terminal);
  for (let cursor: JournalCursor | undefined, atEnd = false; !atEnd && !signal.aborted; ) {
    const chunk = await deps.terminals.read(terminal.host, terminal.journal, cursor, block);
    ({ cursor, atEnd } = chunk);
    if (chunk.bytes.length > 0) yield bytesOf(chunk);
  }
}

async function* live(deps: StreamDeps, terminal: TerminalRecord, options: StreamOptions): AsyncGenerator<StreamFrame> {
  const { signal } = options;
  const size = sizeWatch(deps, terminal);
  const start = await startOf(deps, terminal, options);
  if (start.frame) yield start.frame;
  let { cursor } = start;
  while (!signal.aborted) {
    const listener = listenForOutput(deps, terminal.id, signal);
    try {
      const chunk = await deps.terminals.read(terminal.host, terminal.journal, cursor, block);
      const isGap = chunk.missed > 0 || chunk.hole;
      if (isGap) yield { kind: "missed", bytes: chunk.missed };
      // Bytes cannot be drawn without the ones before them, or in another size: take a new picture from tmux.
      const again = isGap || (chunk.atEnd && (await size.changed())) ? await pictured(deps, terminal) : undefined;
      if (again) {
        yield again.frame;
        cursor = again.cursor ?? chunk.cursor;
        continue;
      }
      if (!isSameCursor(chunk.cursor, emptyJournal)) cursor = chunk.cursor;
      if (chunk.bytes.length > 0) yield bytesOf(chunk);
      else if (chunk.atEnd) await listener.wait(waitMs);
    } finally {
      listener.cancel();
    }
  }
}

interface Start {
  readonly frame?: StreamFrame;
  readonly cursor: JournalCursor | undefined;
}

async function startOf(deps: StreamDeps, terminal: TerminalRecord, { cursor }: StreamOptions): Promise<Start> {
  if (cursor !== undefined) return { cursor: readCursorFrom(cursor) };
  const picture = await pictured(deps, terminal);
  if (picture) return picture;
  const tail = await deps.terminals.cursorBeforeEnd(terminal.host, terminal.journal, tailBytes);
  return { frame: sizeOf(terminal), cursor: tail };
}

type Pictured = Required<Start>;

// A pane that is gone has no picture; its journal still exists.
async function pictured(deps: StreamDeps, { id, host, journal }: TerminalRecord): Promise<Pictured | undefined> {
  const place = deps.store.terminal(id)?.place;
  if (!place) return undefined;
  const picture = await deps.terminals.picture(host, place, journal, linesAbove).catch(() => undefined);
  if (!picture) return undefined;
  const { cursor, ...shown } = picture;
  const frame = { kind: "picture", picture: { ...shown, ...(cursor && { cursor: formatCursor(cursor) }) } } as const;
  return { frame, cursor };
}

function bytesOf({ bytes, cursor }: ReadBytes): StreamFrame {
  return { kind: "bytes", bytes, cursor: formatCursor(cursor) };
}

function sizeOf({ columns, rows }: TerminalRecord): StreamFrame {
  return { kind: "size", columns, rows };
}

// A client that attaches with a smaller window changes the pane's size, and tmux redraws everything.
function sizeWatch(deps: StreamDeps, { id, host }: TerminalRecord): { changed(): Promise<boolean> } {
  let known: string | undefined;
  let lookedAt = 0;
  return {
    async changed() {
      const now = deps.clock.monotonic();
      if (now - lookedAt < lookForSizeMs) return false;
      lookedAt = now;
      const place = deps.store.terminal(id)?.place;
      const screen = place && (await deps.terminals.screen(host, place, false).catch(() => undefined));
      if (!screen) return false;
      const size = `${screen.columns}x${screen.rows}`;
      const isOther = known !== undefined && known !== size;
      known = size;
      return isOther;
    },
  };
}
