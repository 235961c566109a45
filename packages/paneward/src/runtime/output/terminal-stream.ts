import type { TerminalRecord } from "../../model/records.ts";
import type { Picture } from "../ports.ts";
import { resolveTerminal } from "../resolve.ts";
import type { World } from "../world.ts";
import { whenNews } from "./reader.ts";

/** What a live view of a terminal gets, in order. */
export type StreamFrame =
  | { readonly kind: "picture"; readonly picture: Picture }
  | { readonly kind: "size"; readonly columns: number; readonly rows: number }
  /** The cursor stands behind the bytes: a view that has them resumes there, and gets none twice. */
  | { readonly kind: "bytes"; readonly bytes: Uint8Array; readonly cursor: string }
  | { readonly kind: "missed"; readonly bytes: number };

export interface StreamOptions {
  /** Where an earlier view stopped. Without one a live view begins with a picture. */
  readonly cursor?: string;
  /** Everything that is kept, from the oldest byte to the end of now; then it is over. */
  readonly replay?: boolean;
  readonly signal: AbortSignal;
}

const block = 131_072;
const linesAbove = 2_000;
const tailBytes = 262_144;
const lookForSizeMs = 1_000;
const waitMs = 3_600_000;

export function terminalFrames(world: World, id: string, options: StreamOptions): AsyncGenerator<StreamFrame> {
  const terminal = resolveTerminal(world, id);
  return options.replay ? recorded(world, terminal, options.signal) : live(world, terminal, options);
}

async function* recorded(world: World, terminal: TerminalRecord, signal: AbortSignal): AsyncGenerator<StreamFrame> {
  yield sizeOf(terminal);
  for (let cursor: string | undefined, atEnd = false; !atEnd && !signal.aborted; ) {
    const chunk = await world.terminals.read(terminal.host, terminal.journal, cursor, block);
    ({ cursor, atEnd } = chunk);
    if (chunk.bytes.length > 0) yield { kind: "bytes", bytes: chunk.bytes, cursor };
  }
}

async function* live(world: World, terminal: TerminalRecord, options: StreamOptions): AsyncGenerator<StreamFrame> {
  const { signal } = options;
  const size = sizeWatch(world, terminal);
  let { cursor } = options;
  if (cursor === undefined) {
    const [first, start] = await beginning(world, terminal);
    yield first;
    cursor = start;
  }
  while (!signal.aborted) {
    const news = whenNews(world, terminal.id, signal);
    try {
      const chunk = await world.terminals.read(terminal.host, terminal.journal, cursor, block);
      const isGap = chunk.missed > 0 || chunk.hole;
      if (isGap) yield { kind: "missed", bytes: chunk.missed };
      // Bytes that build on others which are gone make no picture, nor do bytes for another size; tmux has one.
      const again = isGap || (chunk.atEnd && (await size.changed())) ? await pictured(world, terminal) : undefined;
      if (again) {
        yield again;
        cursor = again.picture.cursor ?? chunk.cursor;
        continue;
      }
      if (chunk.cursor !== nowhere) cursor = chunk.cursor;
      if (chunk.bytes.length > 0) yield { kind: "bytes", bytes: chunk.bytes, cursor: chunk.cursor };
      else if (chunk.atEnd) await news.orAfter(waitMs);
    } finally {
      news.cancel();
    }
  }
}

/** The cursor of a journal in which nothing is yet. */
const nowhere = "e0:0";

type Pictured = Extract<StreamFrame, { kind: "picture" }>;

async function beginning(world: World, terminal: TerminalRecord): Promise<readonly [StreamFrame, string | undefined]> {
  const picture = await pictured(world, terminal);
  if (picture) return [picture, picture.picture.cursor];
  return [sizeOf(terminal), await world.terminals.cursorBeforeEnd(terminal.host, terminal.journal, tailBytes)];
}

// A pane that is gone has no picture; its journal is still there.
async function pictured(world: World, { id, host, journal }: TerminalRecord): Promise<Pictured | undefined> {
  const place = world.store.terminal(id)?.place;
  if (!place) return undefined;
  const picture = await world.terminals.picture(host, place, journal, linesAbove).catch(() => undefined);
  return picture && { kind: "picture", picture };
}

function sizeOf({ columns, rows }: TerminalRecord): StreamFrame {
  return { kind: "size", columns, rows };
}

// Somebody who attaches with a smaller window changes the pane's size, and tmux draws everything again.
function sizeWatch(world: World, { id, host }: TerminalRecord): { changed(): Promise<boolean> } {
  let known: string | undefined;
  let lookedAt = 0;
  return {
    async changed() {
      const now = world.clock.now();
      if (now - lookedAt < lookForSizeMs) return false;
      lookedAt = now;
      const place = world.store.terminal(id)?.place;
      const screen = place && (await world.terminals.screen(host, place, false).catch(() => undefined));
      if (!screen) return false;
      const size = `${screen.columns}x${screen.rows}`;
      const isOther = known !== undefined && known !== size;
      known = size;
      return isOther;
    },
  };
}
