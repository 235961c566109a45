import { TmuxError } from "./errors.ts";
import { posixArgument } from "./quote.ts";

/** A position in a journal: the epoch (one opening of the pipe) and the byte offset in it. Written `EPOCH:OFFSET`. */
export interface JournalCursor {
  readonly epoch: string;
  readonly offset: number;
}

export function formatCursor({ epoch, offset }: JournalCursor): string {
  return `${epoch}:${offset}`;
}

export function parseCursor(text: string): JournalCursor {
  const [, epoch, offset] = /^([a-z0-9]+):(\d{1,15})$/.exec(text) ?? [];
  if (epoch !== undefined && offset !== undefined) return { epoch, offset: Number(offset) };
  throw new TmuxError(
    "send_failed",
    `${JSON.stringify(text.slice(0, 80))} is not a journal cursor; take one from a read`,
  );
}

/** A file of a journal: `EPOCH-aaab` is the second segment of an epoch. All but the last have the full size. */
export interface Segment {
  readonly name: string;
  readonly epoch: string;
  readonly index: number;
  readonly size: number;
}

const suffixLength = 4;
const letters = 26;

export function segmentName(epoch: string, index: number): string {
  let suffix = "";
  for (let rest = index, at = 0; at < suffixLength; at++, rest = Math.floor(rest / letters)) {
    suffix = String.fromCharCode(97 + (rest % letters)) + suffix;
  }
  return `${epoch}-${suffix}`;
}

const segmentShape = /^([a-z0-9]+)-([a-z]{4})$/;

/** The newest segment among a folder's files, without parsing the others: there may be hundreds. */
export function newestSegment(names: readonly string[]): string | undefined {
  let newest: string | undefined;
  for (const name of names) {
    if ((newest === undefined || name > newest) && segmentShape.test(name)) newest = name;
  }
  return newest;
}

/** The segments among a folder's files, oldest first. Epoch names sort by age. */
export function segmentsOf(files: readonly { readonly name: string; readonly size: number }[]): readonly Segment[] {
  return files
    .flatMap(({ name, size }) => {
      const [, epoch, suffix] = segmentShape.exec(name) ?? [];
      return epoch === undefined || suffix === undefined ? [] : [{ name, epoch, index: indexOf(suffix), size }];
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function indexOf(suffix: string): number {
  return [...suffix].reduce((sum, letter) => sum * letters + letter.charCodeAt(0) - 97, 0);
}

/** A new epoch sorts after every earlier one. */
export function epochName(nowMs: number, random: string): string {
  return `e${nowMs.toString(36).padStart(9, "0")}${random}`;
}

/** The time to name a new epoch by: after those of a folder's files, also when the machine's clock was set back. */
export function epochTimeAfter(names: readonly string[], nowMs: number): number {
  const last = Number.parseInt(newestSegment(names)?.slice(1, 10) ?? "", 36);
  return Number.isNaN(last) ? nowMs : Math.max(nowMs, last + 1);
}

/**
 * Runs in the pane's pipe: cuts the output into segments, flushing at every read. With GNU split it also drops the oldest
 * ones before it begins another, so that a journal is bounded while no process of ours runs. Other splits know no filter;
 * `filtering` is the path of one that does, and else the command tries it out, which takes another process.
 */
export function splitCommand(
  quotedPrefix: string,
  segmentBytes: number,
  maxSegments: number,
  filtering?: string,
): string {
  const options = `-b ${segmentBytes} -a ${suffixLength}`;
  const drop = `while [ $# -ge ${maxSegments + slack} ]; do rm -f "$1" "$1.index"; shift; done`;
  // split reads on, and writes nothing more, when its filter has failed: tmux would take the pipe for one that works.
  const filter = `set -- "\${FILE%????}"????; ${drop}; cat >"$FILE" || kill $PPID`;
  // split runs the filter by $SHELL, which may be no POSIX shell.
  const bounded = (split: string) =>
    `SHELL=/bin/sh; export SHELL; exec ${split} ${options} --filter='${filter}' - ${quotedPrefix}`;
  if (filtering !== undefined) return bounded(posixArgument(filtering));
  return `if ${triesFilter} >/dev/null 2>&1; then ${bounded("split")}; else exec split ${options} - ${quotedPrefix}; fi`;
}

const triesFilter = "split --filter=cat --version";

/** A script that prints the path of a split that knows filters, or nothing. */
export const findFilteringSplit = `${triesFilter} >/dev/null 2>&1 && command -v split`;

// A follower drops segments at the limit, and reports it; this many more are left to it.
const slack = 8;
