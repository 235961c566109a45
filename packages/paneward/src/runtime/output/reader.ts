import type { Output, Parsed } from "@paneward/sdk";
import { keyedMutex } from "../../model/keyed-mutex.ts";
import { Budget, bytesPerToken } from "../../model/output/budget.ts";
import { LastLines } from "../../model/output/budget-lines.ts";
import { formatReadCursor, type ReadCursor, readCursorFrom } from "../../model/output/cursor.ts";
import type { Size } from "../../model/output/fold-grid.ts";
import type { TerminalRecord } from "../../model/records.ts";
import type { Attention } from "../attention/attention.ts";
import { judgeTerminal } from "../attention/judge-status.ts";
import type { Caller } from "../calls.ts";
import type { World } from "../world.ts";
import { JournalRead, journalSource } from "./journal-read.ts";
import { isEnded, listenForOutput, type NewsDeps } from "./news.ts";

export interface ReadDeps extends World, NewsDeps {
  readonly attention: Attention;
}

type ReadInput = Parsed<"read">;

/** Output as plain text, as docs/reading.md describes it; waits for new output if `wait` says so. */
export async function read(
  deps: ReadDeps,
  terminal: TerminalRecord,
  input: ReadInput,
  { who, signal }: Pick<Caller, "who" | "signal">,
): Promise<Output<"read">> {
  const deadline = deps.clock.monotonic() + input.wait * 1_000;
  for (let start = startOf(input); ; ) {
    const listener = input.wait > 0 ? listenForOutput(deps, terminal.id, signal) : undefined;
    try {
      const from = start;
      const look = () => readFrom(deps, terminal, from, input, signal);
      const found = await (input.max_bytes > longRead ? longReads(who, look) : look());
      const left = deadline - deps.clock.monotonic();
      const hasNews = found.output !== "" || found.missed > 0;
      if (hasNews || left <= 0 || isEnded(deps, terminal.id) || signal?.aborted) {
        const { status: state } = judgeTerminal(deps, deps.store.terminal(terminal.id) ?? terminal);
        return { ...found, cursor: formatReadCursor(found.cursor), state };
      }
      start = { since: found.cursor, lines: input.lines };
      await listener?.wait(left);
    } finally {
      listener?.cancel();
    }
  }
}

// A long text is several times its size in memory while it is made: a caller gets one after the other.
const longRead = 262_144;
const longReads = keyedMutex();

/** Where a read starts: at a cursor, so many lines before the end, or with both missing at the oldest byte. */
interface Start {
  readonly since: ReadCursor | undefined;
  readonly lines: number | undefined;
}

function startOf({ since, lines, all }: ReadInput): Start {
  if (all) return { since: undefined, lines: undefined };
  return { since: since === undefined ? undefined : readCursorFrom(since), lines };
}

async function readFrom(
  deps: ReadDeps,
  terminal: TerminalRecord,
  { since, lines }: Start,
  { max_bytes, max_tokens, pages, raw = false }: ReadInput,
  signal: AbortSignal | undefined,
) {
  const maxBytes = Math.min(max_bytes, (max_tokens ?? Number.MAX_SAFE_INTEGER) * bytesPerToken);
  const budget = new Budget(pages ? Number.MAX_SAFE_INTEGER : maxBytes);
  const last = lines === undefined ? undefined : { lines, found: new LastLines(lines) };
  const options = {
    size: sizeOf(terminal),
    raw,
    maxBytes: pages ? maxBytes : maxAtOnce,
    signal,
    isEnded: () => isEnded(deps, terminal.id),
  };
  const source = journalSource(deps.terminals, terminal);
  const journal = new JournalRead(source, options, last?.found ?? budget);
  const done = since
    ? await journal.since(since)
    : await (last ? journal.lastLines(last.lines, last.found) : journal.fromOldest());
  if (last) budget.write(last.found.finish().join(""));
  const { text, leftOut } = budget.finish();
  return {
    output: text,
    cursor: done.cursor,
    lines: linesIn(text),
    has_more: !done.atEnd,
    missed: done.missed,
    ...(leftOut === undefined ? {} : { left_out: leftOut }),
  };
}

// A journal keeps 64 MB by default: enough to reach its end, unless a program prints faster than we read.
export const maxAtOnce = 128 * 1_048_576;

function linesIn(text: string): number {
  return text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}

/** A terminal is never narrower than a wide character. */
export function sizeOf({ columns, rows }: { readonly columns: number; readonly rows: number }): Size {
  return { columns: Math.max(2, columns), rows: Math.max(2, rows) };
}
