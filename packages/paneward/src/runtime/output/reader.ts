import type { Output, Parsed } from "@paneward/sdk";
import { Budget, bytesPerToken } from "../../model/output/budget.ts";
import { LastLines } from "../../model/output/budget-lines.ts";
import type { Size } from "../../model/output/fold-grid.ts";
import type { TerminalRecord } from "../../model/records.ts";
import type { Attention } from "../attention/attention.ts";
import { judgeTerminal } from "../attention/judge-status.ts";
import { resolveTerminal } from "../resolve.ts";
import type { World } from "../world.ts";

export interface ReadDeps extends World {
  readonly attention: Attention;
}

import { JournalRead, type ReadOptions } from "./journal-read.ts";
import { journalSource } from "./journal-source.ts";

/** Output as plain text, as docs/reading.md says; waits for something new if asked to. */
export async function read(deps: ReadDeps, input: Parsed<"read">, signal?: AbortSignal): Promise<Output<"read">> {
  const terminal = resolveTerminal(deps, input.id);
  if (input.wait === 0) return readOnce(deps, terminal, input, signal);
  const deadline = deps.clock.now() + input.wait * 1_000;
  for (let asked = input; ; ) {
    const waiting = whenNews(deps, terminal.id, signal);
    try {
      const answer = await readOnce(deps, terminal, asked, signal);
      const left = deadline - deps.clock.now();
      if (answer.output !== "" || answer.missed > 0 || left <= 0 || isEnded(deps, terminal.id) || signal?.aborted) {
        return answer;
      }
      asked = { ...asked, since: answer.cursor, all: false };
      await waiting.orAfter(left);
    } finally {
      waiting.cancel();
    }
  }
}

async function readOnce(
  deps: ReadDeps,
  terminal: TerminalRecord,
  input: Parsed<"read">,
  signal: AbortSignal | undefined,
): Promise<Output<"read">> {
  const most = Math.min(input.max_bytes, (input.max_tokens ?? Number.MAX_SAFE_INTEGER) * bytesPerToken);
  const budget = new Budget(input.pages ? Number.MAX_SAFE_INTEGER : most);
  const last = input.lines === undefined || input.all ? undefined : new LastLines(input.lines);
  const options: ReadOptions = {
    size: sizeOf(terminal),
    raw: input.raw ?? false,
    most: input.pages ? most : maxAtOnce,
    signal,
    isEnded: () => isEnded(deps, terminal.id),
  };
  const journal = new JournalRead(journalSource(deps, terminal.host, terminal.journal), options, last ?? budget);
  const done = await begin(journal, input, last);
  if (last) budget.write(last.finish().join(""));
  const { text, leftOut } = budget.finish();
  return {
    output: text,
    cursor: done.cursor,
    lines: linesIn(text),
    has_more: !done.atEnd,
    missed: done.missed,
    ...(leftOut === undefined ? {} : { left_out: leftOut }),
    state: judgeTerminal(deps, deps.store.terminal(terminal.id) ?? terminal).status,
  };
}

// A journal keeps 64 MB unless told otherwise: enough to come to its end, unless a program prints faster than we read.
export const maxAtOnce = 128 * 1_048_576;

function begin(journal: JournalRead, { all, since, lines }: Parsed<"read">, last: LastLines | undefined) {
  if (since !== undefined && !all) return journal.since(since);
  return lines !== undefined && last ? journal.lastLines(lines, last) : journal.fromOldest();
}

function linesIn(text: string): number {
  return text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}

/** A terminal is never narrower than a wide character. */
export function sizeOf({ columns, rows }: { readonly columns: number; readonly rows: number }): Size {
  return { columns: Math.max(2, columns), rows: Math.max(2, rows) };
}

export function isEnded(world: Pick<World, "store">, id: string): boolean {
  return (world.store.terminal(id)?.phase ?? "ended") === "ended";
}

/** Output and ends of one terminal; whichever comes first, or the time. */
export function whenNews(
  world: Pick<World, "store" | "terminals">,
  id: string,
  signal: AbortSignal | undefined,
): { orAfter(ms: number): Promise<void>; cancel(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const gone = () => resolve();
  signal?.addEventListener("abort", gone);
  const stop = [
    () => signal?.removeEventListener("abort", gone),
    world.terminals.onNews((news) => {
      if (news.kind === "output" && world.store.terminal(id)?.place?.pane === news.place.pane) resolve();
    }),
    world.store.onEvents(() => {
      if (isEnded(world, id)) resolve();
    }),
  ];
  return {
    cancel() {
      for (const end of stop) end();
    },
    async orAfter(ms) {
      const timer = setTimeout(resolve, ms);
      await promise;
      clearTimeout(timer);
    },
  };
}
