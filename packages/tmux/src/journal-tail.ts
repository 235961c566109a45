import { join } from "node:path/posix";
import { indexFile, type Journal, listSegments, trimJournal } from "./journal.ts";
import { isSecretOf, lastMarkIn } from "./journal-marks.ts";
import { type Segment, segmentsOf } from "./protocol/cursor.ts";
import { type ExitMark, findExitMark } from "./protocol/wrapper.ts";

/**
 * New output; `atFirstLook`: it may have been printed before following began. With the last bytes of what was printed, which
 * may begin in the middle of anything.
 */
export type OnOutput = (atFirstLook: boolean, lastBytes: Buffer) => void;

export interface TailHandlers {
  /** `atFirstLook`: the mark was already in the journal when following began, and may belong to an earlier program. */
  readonly onExit: (mark: ExitMark, atFirstLook: boolean) => void;
  readonly onOutput?: OnOutput;
}

// The mark is the last thing a program's terminal prints; some slack in case a child process still prints.
const enoughForMark = 512;
const indexEveryMs = 100;

/**
 * Follows the end of one journal: detects the exit mark, writes the index of offsets and times, and drops segments over
 * the limit. Reads only on file system notifications, and only the last bytes.
 */
export class JournalTail {
  readonly #journal: Journal;
  readonly #handlers: TailHandlers;
  readonly #stop: () => void;
  #last: Segment | undefined;
  #changed: string | undefined;
  #looking = false;
  #reported: { readonly epoch: string; readonly offset: number } | undefined;
  #indexed = { atMs: Number.NEGATIVE_INFINITY, offset: -1 };
  #indexLater: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(journal: Journal, handlers: TailHandlers) {
    this.#journal = journal;
    this.#handlers = handlers;
    this.#stop = journal.files.watch(journal.folder, (name) => this.#notice(name));
    this.#notice(undefined);
  }

  /** Bytes printed since the epoch began, as last seen. */
  get offset(): number {
    return this.#last ? this.#last.index * this.#journal.segmentBytes + this.#last.size : 0;
  }

  /** Looks without waiting for a notification; on a host behind a prefix the next one may be a second away. */
  lookNow(): void {
    this.#notice(undefined);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#indexLater);
    this.#stop();
  }

  #notice(name: string | undefined): void {
    const segment = name === undefined ? undefined : segmentsOf([{ name, size: 0 }])[0];
    if (name !== undefined && !segment) return;
    this.#changed = name ?? "";
    if (!this.#looking) this.#lookAll();
  }

  async #lookAll(): Promise<void> {
    this.#looking = true;
    while (this.#changed !== undefined && !this.#stopped) {
      const name = this.#changed;
      this.#changed = undefined;
      // The folder was removed, or the host is unreachable: the next notification retries.
      await this.#look(name).catch(() => {});
    }
    this.#looking = false;
  }

  async #look(name: string): Promise<void> {
    const known = this.#last;
    const segment = name === known?.name ? known : await this.#newest();
    if (!segment) return;
    const { files, folder } = this.#journal;
    const { size, bytes } = await files.tail(join(folder, segment.name), enoughForMark);
    // A segment's file can be there a moment before its first bytes.
    const grown = size > 0 && (segment.name !== known?.name || size !== known.size);
    this.#last = { ...segment, size };
    if (grown) this.#handlers.onOutput?.(known === undefined, bytes);
    this.#reportMarks(segment.epoch, this.offset - bytes.length, bytes.toString("latin1"));
    await this.#index();
  }

  // A mark stays within the last bytes for a while: report each once, keyed by its offset.
  #reportMarks(epoch: string, offset: number, text: string): void {
    const isSecret = isSecretOf(this.#journal);
    const atFirstLook = this.#reported === undefined;
    const reportedTo = this.#reported?.epoch === epoch ? this.#reported.offset : 0;
    this.#reported = { epoch, offset: reportedTo };
    for (let mark = findExitMark(text, isSecret); mark; mark = findExitMark(text, isSecret, mark.end)) {
      if (offset + mark.start < reportedTo) continue;
      this.#reported = { epoch, offset: offset + mark.start + 1 };
      this.#handlers.onExit(mark, atFirstLook);
    }
  }

  async #newest(): Promise<Segment | undefined> {
    const segments = await listSegments(this.#journal);
    if (segments.length > this.#journal.maxSegments) await trimJournal(this.#journal, segments);
    return segments.at(-1);
  }

  // One line per burst: the journal's length and the time.
  async #index(): Promise<void> {
    const segment = this.#last;
    const { offset } = this;
    if (!segment || offset === 0 || offset === this.#indexed.offset) return;
    // A deadline must not move when the machine's clock is set; the date in the index does.
    const steadyMs = performance.now();
    const wait = this.#indexed.atMs + indexEveryMs - steadyMs;
    if (wait > 0) {
      this.#indexLater ??= setTimeout(() => {
        this.#indexLater = undefined;
        this.#notice(segment.name);
      }, wait).unref();
      return;
    }
    this.#indexed = { atMs: steadyMs, offset };
    await this.#journal.files.append(indexFile(this.#journal, segment), `${offset} ${Date.now()}\n`);
  }
}

/** How the journal's last program ended; undefined while it runs, or if its output was not kept. */
export async function journalExit(journal: Journal): Promise<ExitMark | undefined> {
  const last = (await listSegments(journal)).at(-1);
  if (!last) return undefined;
  const { bytes } = await journal.files.tail(join(journal.folder, last.name), enoughForMark);
  return lastMarkIn(bytes.toString("latin1"), isSecretOf(journal));
}

/** The journal's length over time, oldest first: `[offset, milliseconds]`. */
export async function journalTimes(journal: Journal, epoch: string): Promise<readonly (readonly [number, number])[]> {
  const { files, folder } = journal;
  const indexes = (await files.list(folder)).filter(
    ({ name }) => name.startsWith(`${epoch}-`) && name.endsWith(".index"),
  );
  const ordered = indexes.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const texts = await Promise.all(ordered.map(({ name, size }) => files.read(join(folder, name), 0, size)));
  return Buffer.concat(texts)
    .toString()
    .split("\n")
    .flatMap((line) => {
      const [offset, ms] = line.split(" ").map(Number);
      return offset !== undefined && ms !== undefined && !Number.isNaN(ms) ? [[offset, ms] as const] : [];
    });
}
