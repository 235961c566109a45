import { setImmediate as yieldToLoop } from "node:timers/promises";
import {
  afterOutput,
  afterSequence,
  endsWaiting,
  noStatus,
  type ProgramStatus,
  reportedBy,
} from "../../model/attention/program-status.ts";
import { Sequences } from "../../model/attention/sequences.ts";
import { isSameCursor } from "../../model/output/cursor.ts";
import type { PanePlace, TerminalRecord } from "../../model/records.ts";
import { printsBeforeStartMs, rawTerminalMs } from "../../model/timing.ts";
import type { Cancel, Clock, JournalCursor, JournalTimes, Log, ReadBytes, Terminals } from "../ports.ts";
import { steadyTime } from "../steady-time.ts";

export interface Ports {
  readonly clock: Clock;
  readonly log: Log;
  readonly terminals: Pick<Terminals, "read" | "cursorBeforeEnd" | "times" | "listens">;
}

/** What a program reports of itself, dated in monotonic time; undefined when it withdrew all that it reported. */
export type ReportedStatus = ReturnType<typeof reportedBy>;

interface Listened {
  readonly host: string;
  readonly place: PanePlace | undefined;
  /** A known agent redraws while it waits. */
  readonly isAgent: boolean;
  readonly journal: string;
  /** What the journal dates before this was printed by the program before. */
  readonly notBefore: number;
  cursor: JournalCursor | undefined;
  sequences: Sequences;
  status: ProgramStatus;
  /** What was reported last. */
  reported: ReportedStatus;
  /** Undefined when no read is due. */
  cancel: Cancel | undefined;
  reading: boolean;
  /** Something was printed while this was being read. */
  again: boolean;
  /** The shortest time between two reads, and when the last one was. */
  gapMs: number;
  readAt: number;
  failures: number;
  /** Whether its terminal was in raw mode, and until when that is believed. */
  raw: { readonly is: boolean; readonly until: number } | undefined;
}

/**
 * The status that programs report in their output (OSC 7501). Reads a journal's new bytes once, a moment after they
 * came, and backs off for programs that report nothing.
 */
export class OscStatus {
  readonly #ports: Ports;
  readonly #report: (terminal: string, status: ReportedStatus) => void;
  readonly #listened = new Map<string, Listened>();
  readonly #before = new Map<string, JournalCursor>();

  constructor(ports: Ports, report: (terminal: string, status: ReportedStatus) => void) {
    this.#ports = ports;
    this.#report = report;
  }

  /** Its program is about to be started again in the same journal. */
  async restarts({ id, host, journal }: TerminalRecord): Promise<void> {
    const end = await this.#ports.terminals.cursorBeforeEnd(host, journal, 0).catch(() => undefined);
    if (end !== undefined) this.#before.set(id, end);
  }

  /** A program runs: since just now, or, when it was `found`, since before the daemon started. */
  started(record: TerminalRecord, found: boolean, isAgent = false): void {
    const { id, host, place, journal, adopted, startedAt = 0 } = record;
    this.forget(id);
    // A pane of the user's own tmux has no journal.
    if (adopted) return;
    const cursor = this.#before.get(id);
    this.#before.delete(id);
    const notBefore = found ? startedAt - printsBeforeStartMs : 0;
    const fresh = { notBefore, cursor, sequences: new Sequences(), status: noStatus, reported: undefined };
    const calm = { cancel: undefined, reading: false, again: false, gapMs: minMs, readAt: 0, failures: 0 };
    this.#listened.set(id, { host, place, journal, isAgent, ...fresh, ...calm, raw: undefined });
    this.printed(id);
  }

  printed(id: string): void {
    const one = this.#listened.get(id);
    if (!one || one.cancel) return;
    if (one.reading) {
      one.again = true;
      return;
    }
    const wait = one.readAt + one.gapMs - this.#ports.clock.monotonic();
    const inMs = Math.min(maxMs, Math.max(minMs, wait));
    one.cancel = this.#ports.clock.timer(inMs, () => this.#read(id, one));
  }

  forget(id: string): void {
    this.#listened.get(id)?.cancel?.();
    this.#listened.delete(id);
  }

  async #read(id: string, one: Listened): Promise<void> {
    one.cancel = undefined;
    one.reading = true;
    one.again = false;
    try {
      await this.#readNew(id, one);
      one.failures = 0;
    } catch (error) {
      one.failures += 1;
      if (one.failures === 5) this.#ports.log.warn("output cannot be read", { terminal: id, error: String(error) });
    } finally {
      one.reading = false;
      one.readAt = this.#ports.clock.monotonic();
    }
    if (one.again && this.#listened.get(id) === one) this.printed(id);
  }

  async #readNew(id: string, one: Listened): Promise<void> {
    const { terminals } = this.#ports;
    const isFirst = one.cursor === undefined;
    one.cursor ??= await terminals.cursorBeforeEnd(one.host, one.journal, lookBackBytes);
    for (let isMore = one.cursor !== undefined; isMore && this.#listened.get(id) === one; ) {
      const piece = await terminals.read(one.host, one.journal, one.cursor, pieceBytes);
      if (this.#listened.get(id) !== one) return;
      await this.#take(one, piece, isFirst);
      one.gapMs = one.status.size > 0 ? minMs : Math.min(maxMs, one.gapMs * 2);
      isMore = !piece.atEnd && (one.cursor === undefined || !isSameCursor(piece.cursor, one.cursor));
      one.cursor = piece.cursor;
      if (isMore) await yieldToLoop();
    }
    const now = reportedBy(one.status);
    if (this.#listened.get(id) !== one || isSame(one.reported, now)) return;
    one.reported = now;
    this.#report(id, now);
  }

  async #take(one: Listened, piece: ReadBytes, isFirst: boolean): Promise<void> {
    if (piece.missed > 0 || piece.hole) one.sequences = new Sequences();
    const found = one.sequences.write(piece.bytes);
    const now = this.#ports.clock.monotonic();
    if (piece.bytes.length > 0) one.status = afterOutput(one.status, now, await this.#redraws(one, now));
    if (found.length === 0) return;
    // A sequence from before the daemon listened has the date at which the journal had grown so far.
    const times = isFirst ? await this.#ports.terminals.times(one.host, one.journal) : [];
    for (const sequence of found) {
      const date = isFirst ? dateOf(times, piece, sequence.end) : undefined;
      if (date !== undefined && date < one.notBefore) continue;
      const at = date === undefined ? now : steadyTime(this.#ports.clock, date);
      one.status = afterSequence(one.status, sequence, at);
    }
  }

  // A full-screen program draws while it waits; one that reads lines has continued when it prints.
  async #redraws(one: Listened, now: number): Promise<boolean> {
    if (one.isAgent || !one.place || !endsWaiting(one.status, now)) return one.isAgent;
    if (!one.raw || one.raw.until < now) {
      const { raw } = await this.#ports.terminals.listens(one.host, one.place);
      one.raw = { is: raw, until: now + rawTerminalMs };
    }
    return one.raw.is;
  }
}

const minMs = 50;
const maxMs = 800;
const pieceBytes = 262_144;
const lookBackBytes = 262_144;

function dateOf(times: readonly JournalTimes[], { cursor, bytes }: ReadBytes, end: number): number | undefined {
  const offset = cursor.offset - bytes.length + end;
  const known = times.find((one) => one.epoch === cursor.epoch)?.times ?? [];
  return known.find(([reached]) => reached >= offset)?.[1];
}

function isSame(one: ReportedStatus, other: ReportedStatus): boolean {
  return one?.says === other?.says && one?.rule === other?.rule && one?.at === other?.at;
}
