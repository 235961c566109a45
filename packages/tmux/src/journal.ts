import { randomBytes } from "node:crypto";
import { join } from "node:path/posix";
import { isSecretOf, lastMarkIn, type Marked, markHashesIn, marksFile, withoutMarks } from "./journal-marks.ts";
import {
  epochName,
  epochTimeAfter,
  type JournalCursor,
  newestSegment,
  type Segment,
  segmentName,
  segmentsOf,
  splitCommand,
} from "./protocol/cursor.ts";
import { TmuxError } from "./protocol/errors.ts";
import type { PaneId } from "./protocol/names.ts";
import { type Command, pipeCommand, posixArgument } from "./protocol/quote.ts";
import { type ExitMark, findExitMark, maxMarkLength, startOfPartialMark } from "./protocol/wrapper.ts";
import type { Files } from "./transport/files.ts";

/** The bytes a terminal printed, in bounded files. It grows even while no process of ours runs. */
export interface Journal extends Marked {
  readonly segmentBytes: number;
  /** Beyond this number the oldest segments are dropped, and their bytes count as missed. */
  readonly maxSegments: number;
  readonly place: JournalPlace;
}

/** What changes if others remove the journal's folder. */
export interface JournalPlace {
  /** Identifies the file of settings; undefined where a look is not cheap. */
  id: string | undefined;
  /** What was printed before is gone with the folder that was there before. */
  lost: boolean;
  /** The pane's pipe leads to the folder that is gone. */
  pipeIsOld: boolean;
}

export interface JournalOptions {
  /** It was made before: if it is not there, others removed it, and what was in it is lost. */
  readonly expected?: boolean;
  readonly segmentBytes?: number;
  readonly maxSegments?: number;
}

export interface JournalChunk {
  readonly bytes: Buffer;
  /** Where the next read continues. */
  readonly cursor: JournalCursor;
  /** Bytes that were dropped before this chunk. */
  readonly missed: number;
  /** The pipe was broken before this chunk: an unknown amount of output is missing. */
  readonly hole: boolean;
  readonly atEnd: boolean;
}

const settingsFile = "journal.json";

/** Creates a journal in the folder, or opens the one already there. */
export async function openJournal(files: Files, folder: string, options: JournalOptions = {}): Promise<Journal> {
  const path = join(folder, settingsFile);
  const found = (await files.read(path, 0, 4_096)).toString();
  const settings = found === "" ? newSettings(options) : (JSON.parse(found) as Settings);
  const { segmentBytes, maxSegments, lost = false } = settings;
  const markHashes = found === "" ? new Set<string>() : await markHashesIn(files, folder);
  const place = { id: undefined as string | undefined, lost, pipeIsOld: false };
  const journal = { folder, files, segmentBytes, maxSegments, markHashes, place };
  if (found === "" && options.expected) await makeJournalAgain(journal);
  else if (found === "") {
    await files.makeFolder(folder).catch(cannotMake(folder));
    await files.write(path, JSON.stringify(settings));
  }
  place.id = files.identify(path);
  return journal;
}

/** Whether others removed a journal that is in use. */
export function isJournalLost({ files, folder, place }: Journal): boolean {
  return place.id !== undefined && files.identify(join(folder, settingsFile)) !== place.id;
}

/** Makes a journal again whose folder is gone. Readers learn that something is missing; the pane needs another pipe. */
export async function makeJournalAgain(journal: Journal): Promise<void> {
  const { files, folder, place, segmentBytes, maxSegments, markHashes } = journal;
  const path = join(folder, settingsFile);
  await files.makeFolderAgain(folder).catch(cannotMake(folder));
  const names = await files.names(folder).catch(cannotMake(folder));
  await files.write(join(folder, marksFile), [...markHashes, ""].join("\n")).catch(cannotMake(folder));
  // A reader's cursor is then of this journal, and not of the one that is gone.
  await beginEpoch(journal, names);
  await files.write(path, JSON.stringify({ segmentBytes, maxSegments, lost: true }));
  Object.assign(place, { id: files.identify(path), lost: true, pipeIsOld: true });
}

/** The command that gives a pane another pipe. Readers learn that output before it may be missing, even if none was kept. */
export async function pipeAgainInto(journal: Journal, target: PaneId | string): Promise<Command> {
  await beginEpoch(journal, await journal.files.names(journal.folder));
  return pipeInto(journal, target);
}

/** An epoch without output, if there is none yet. */
async function beginEpoch(
  { files, folder }: Pick<Journal, "files" | "folder">,
  names: readonly string[],
): Promise<void> {
  if (newestSegment(names) === undefined) await files.write(join(folder, segmentName(newEpoch(names), 0)), "");
}

/** Reads up to `max` bytes from a cursor; without a cursor, from the oldest byte that is kept. */
export async function readJournal(
  journal: Journal,
  from: JournalCursor | undefined,
  max: number,
): Promise<JournalChunk> {
  const found = await readFrom(journal, from ?? (await oldest(journal)), max);
  return from === undefined && journal.place.lost ? { ...found, hole: true } : found;
}

async function readFrom(journal: Journal, start: JournalCursor | undefined, max: number): Promise<JournalChunk> {
  if (!start) return chunk(Buffer.alloc(0), { epoch: "e0", offset: 0 }, true);
  const bytes = await readWithin(journal, start, max);
  if (bytes.length === 0) return readBeyondData(journal, start, max);
  const kept = withoutMarks(bytes, isSecretOf(journal));
  if (kept.consumed === 0) return readPossibleMark(journal, start, bytes, max);
  const atEnd = bytes.length < max && !(await hasNewerEpoch(journal, start.epoch));
  return chunk(kept.bytes, { epoch: start.epoch, offset: start.offset + kept.consumed }, atEnd);
}

/** The cursor behind the last byte. */
export async function journalEnd(journal: Journal): Promise<JournalCursor | undefined> {
  const last = await lastSegment(journal);
  return last && { epoch: last.epoch, offset: last.index * journal.segmentBytes + last.size };
}

/** Yields bytes from a cursor as they arrive, until the signal aborts. Woken by the file system, never by a timer. */
export async function* followJournal(
  journal: Journal,
  from: JournalCursor | undefined,
  signal: AbortSignal,
  max = 65_536,
): AsyncGenerator<JournalChunk> {
  let changed = Promise.withResolvers<void>();
  const stop = journal.files.watch(journal.folder, () => changed.resolve());
  const abort = () => changed.resolve();
  signal.addEventListener("abort", abort);
  try {
    for (let cursor = from; !signal.aborted; ) {
      const next = await readJournal(journal, cursor, max);
      if (next.cursor.epoch !== "e0") cursor = next.cursor;
      if (next.bytes.length > 0 || next.missed > 0 || next.hole) yield next;
      if (!next.atEnd) continue;
      await changed.promise;
      changed = Promise.withResolvers();
    }
  } finally {
    signal.removeEventListener("abort", abort);
    stop();
  }
}

/**
 * The segments, oldest first. Only the last one of an epoch is measured, since the others are full: there may be
 * hundreds.
 */
export async function listSegments({ files, folder, segmentBytes }: Journal): Promise<readonly Segment[]> {
  const lastOfEpochs = (names: readonly string[]) =>
    new Set(
      new Map(segmentsOf(names.map((name) => ({ name, size: 0 }))).map(({ epoch, name }) => [epoch, name])).values(),
    );
  const segments = segmentsOf(await files.list(folder, lastOfEpochs));
  return segments.map((one, at) => (segments[at + 1]?.epoch === one.epoch ? { ...one, size: segmentBytes } : one));
}

/** The command that pipes a pane's output into the journal, in a new epoch. */
export async function pipeInto(journal: Journal, target: PaneId | string): Promise<Command> {
  const names = await journal.files.names(journal.folder);
  const prefix = posixArgument(join(journal.folder, `${newEpoch(names)}-`));
  return [
    "pipe-pane",
    "-O",
    "-t",
    target,
    pipeCommand(splitCommand(prefix, journal.segmentBytes, journal.maxSegments, journal.files.filteringSplit)),
  ];
}

/** The exit mark at the end of the journal, if its last program has ended. */
export async function lastExitMark(journal: Journal): Promise<ExitMark | undefined> {
  const end = await journalEnd(journal);
  if (!end) return undefined;
  const from = { epoch: end.epoch, offset: Math.max(0, end.offset - maxTailBytes) };
  const text = (await readWithin(journal, from, maxTailBytes)).toString("latin1");
  return lastMarkIn(text, isSecretOf(journal));
}

// What a child of the program may still print after the mark.
const maxTailBytes = 4_096;

/** Where the wrapper's shell writes its message about a killed program. */
export function shellMessageFile(journal: Journal): string {
  return join(journal.folder, "wrapper.err");
}

/** The time index of one segment. It is dropped with its segment, so the index is bounded too. */
export function indexFile(journal: Journal, segment: Pick<Segment, "name">): string {
  return join(journal.folder, `${segment.name}.index`);
}

/** Drops the oldest segments over the limit; returns the number of bytes dropped. */
export async function trimJournal(journal: Journal, segments: readonly Segment[]): Promise<number> {
  const excess = segments.slice(0, Math.max(0, segments.length - journal.maxSegments));
  const files = excess.flatMap((segment) => [join(journal.folder, segment.name), indexFile(journal, segment)]);
  await Promise.all(files.map((path) => journal.files.remove(path)));
  return excess.reduce((sum, { size }) => sum + size, 0);
}

interface Settings {
  readonly segmentBytes: number;
  readonly maxSegments: number;
  readonly lost?: boolean;
}

function newEpoch(names: readonly string[]): string {
  return epochName(epochTimeAfter(names, Date.now()), randomBytes(3).toString("hex"));
}

/** Something else may be in the folder's place, or the folder above it may be gone. A full disk is another matter. */
function cannotMake(folder: string): (error: NodeJS.ErrnoException) => never {
  return (cause) => {
    if (!["ENOENT", "ENOTDIR", "EEXIST", "EISDIR", "ELOOP"].includes(cause.code ?? "")) throw cause;
    throw new TmuxError("journal_missing", `the output's folder ${folder} is missing and cannot be made again`, {
      cause,
    });
  };
}

function newSettings({ segmentBytes = 1_048_576, maxSegments = 64 }: JournalOptions): Settings {
  return { segmentBytes, maxSegments };
}

async function lastSegment({ files, folder }: Journal): Promise<Segment | undefined> {
  const found = await files.list(folder, (names) => new Set([newestSegment(names) ?? ""]));
  const newest = newestSegment(found.map(({ name }) => name));
  return segmentsOf(found.filter(({ name }) => name === newest))[0];
}

async function oldest(journal: Journal): Promise<JournalCursor | undefined> {
  const [first] = await listSegments(journal);
  return first && { epoch: first.epoch, offset: first.index * journal.segmentBytes };
}

async function readWithin(journal: Journal, { epoch, offset }: JournalCursor, max: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let at = offset, left = max; left > 0; ) {
    const index = Math.floor(at / journal.segmentBytes);
    const within = at - index * journal.segmentBytes;
    const want = Math.min(left, journal.segmentBytes - within);
    const piece = await journal.files.read(join(journal.folder, segmentName(epoch, index)), within, want);
    pieces.push(piece);
    at += piece.length;
    left -= piece.length;
    if (piece.length < want) break;
  }
  return Buffer.concat(pieces);
}

// No bytes at the cursor: it is at the end, before a newer epoch, or in a part that was dropped.
async function readBeyondData(journal: Journal, start: JournalCursor, max: number): Promise<JournalChunk> {
  const newest = await lastSegment(journal);
  const isAtEnd = newest?.epoch === start.epoch && newest.index * journal.segmentBytes + newest.size === start.offset;
  if (isAtEnd) return chunk(Buffer.alloc(0), start, true);
  const segments = await listSegments(journal);
  const same = segments.filter(({ epoch }) => epoch === start.epoch);
  const firstKept = same[0];
  const last = same.at(-1);
  const resumeAt = (cursor: JournalCursor, missed: number, hole: boolean) => readOn(journal, cursor, missed, hole, max);
  if (firstKept && last) {
    const keptFrom = firstKept.index * journal.segmentBytes;
    if (start.offset < keptFrom)
      return resumeAt({ epoch: start.epoch, offset: keptFrom }, keptFrom - start.offset, false);
    const end = last.index * journal.segmentBytes + last.size;
    if (start.offset > end) throw beyondEnd(start, end);
    if (start.offset < end) return resumeAt(start, 0, false);
  }
  const newer = segments.find(({ epoch }) => epoch > start.epoch);
  if (newer)
    return resumeAt(
      { epoch: newer.epoch, offset: newer.index * journal.segmentBytes },
      newer.index * journal.segmentBytes,
      true,
    );
  // Epochs only increase and the oldest are dropped first, so a newer epoch than any here belongs to another journal.
  const [first] = segments;
  if (!last && first && !journal.place.lost) throw foreign(start);
  // The clock may have been set back since the folder was lost.
  if (!last && first) return resumeAt({ epoch: first.epoch, offset: first.index * journal.segmentBytes }, 0, true);
  return chunk(Buffer.alloc(0), start, true);
}

// Everything read may be the start of an exit mark: read further, and wait if there is nothing more yet.
async function readPossibleMark(
  journal: Journal,
  start: JournalCursor,
  bytes: Buffer,
  max: number,
): Promise<JournalChunk> {
  const after = (count: number): JournalCursor => ({ epoch: start.epoch, offset: start.offset + count });
  if (bytes.length === max) {
    const more = await readWithin(journal, start, max + maxMarkLength);
    const mark = findExitMark(more.toString("latin1"), isSecretOf(journal));
    if (mark?.start === 0) return chunk(Buffer.alloc(0), after(mark.end), false);
    if (startOfPartialMark(more.toString("latin1"), isSecretOf(journal)) > 0) return chunk(bytes, after(max), false);
  }
  const isComplete = await hasNewerEpoch(journal, start.epoch);
  return isComplete ? chunk(bytes, after(bytes.length), false) : chunk(Buffer.alloc(0), start, true);
}

async function hasNewerEpoch(journal: Journal, epoch: string): Promise<boolean> {
  const others = (await journal.files.names(journal.folder)).filter((name) => !name.startsWith(`${epoch}-`));
  return segmentsOf(others.map((name) => ({ name, size: 0 }))).some((segment) => segment.epoch > epoch);
}

function chunk(bytes: Buffer, cursor: JournalCursor, atEnd: boolean): JournalChunk {
  return { bytes, cursor, missed: 0, hole: false, atEnd };
}

async function readOn(
  journal: Journal,
  at: JournalCursor,
  missed: number,
  hole: boolean,
  max: number,
): Promise<JournalChunk> {
  return { ...(await readJournal(journal, at, max)), missed, hole };
}

function beyondEnd({ epoch, offset }: JournalCursor, end: number): TmuxError {
  return new TmuxError("cursor_invalid", `cursor ${epoch}:${offset} is beyond the journal's end at ${end}`);
}

function foreign({ epoch, offset }: JournalCursor): TmuxError {
  return new TmuxError("cursor_invalid", `cursor ${epoch}:${offset} belongs to another journal`);
}
