import { extname, join } from "node:path";
import { Worker } from "node:worker_threads";
import { PanewardError } from "@paneward/sdk";
import { fairTurns } from "../../model/fair-turns.ts";
import type { Caller } from "../calls.ts";

/** A regular expression from a caller. */
export function patternFrom(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (cause) {
    const message = `${source} is not a regular expression: ${(cause as Error).message}`;
    throw new PanewardError("bad_input", message, { cause });
  }
}

/** The caller that a search is for. */
type Searcher = Pick<Caller, "who" | "signal">;

/** What matches in a text, if anything does. */
export async function searchText(by: Searcher, pattern: RegExp, text: string): Promise<string | undefined> {
  return (await searched(by, { kind: "text", pattern, text })) as string | undefined;
}

/** Searches line by line; `rest` is the unfinished line at which an earlier search ended. */
export async function searchLines(
  by: Searcher,
  patterns: readonly RegExp[],
  text: string,
  rest: string,
): Promise<LinesFound> {
  return (await searched(by, { kind: "lines", patterns, text, rest })) as LinesFound;
}

export interface LinesFound {
  /** The first whole line that matches. */
  readonly whole: string | undefined;
  /** The same, or the unfinished line if that matches. */
  readonly match: string | undefined;
  readonly rest: string;
}

/** What is asked of the thread that searches. */
export type Search =
  | { readonly kind: "text"; readonly pattern: RegExp; readonly text: string }
  | { readonly kind: "lines"; readonly patterns: readonly RegExp[]; readonly text: string; readonly rest: string };

export type Searched =
  | { readonly kind: "done"; readonly found: unknown }
  | { readonly kind: "too_slow" }
  | { readonly kind: "failed"; readonly reason: string };

// Callers take turns: a caller with many slow searches delays another one by at most one of them.
const turns = fairTurns();

function searched({ who, signal }: Searcher, search: Search): Promise<unknown> {
  return turns(who, async () => {
    if (signal?.aborted) throw new PanewardError("unavailable", "the caller has disconnected");
    return sent(search);
  });
}

let thread: Worker | undefined;
let sentBefore = 0;
const waiting = new Map<number, (searched: Searched) => void>();

// The thread starts with the first search and stays. It never keeps the process alive by itself.
async function sent(search: Search): Promise<unknown> {
  thread ??= started();
  const id = ++sentBefore;
  thread.postMessage({ id, search });
  thread.ref();
  const searched = await new Promise<Searched>((resolve) => waiting.set(id, resolve));
  if (searched.kind === "done") return searched.found;
  if (searched.kind === "too_slow") throw tooSlow();
  throw new PanewardError("bad_input", `the pattern cannot be searched for: ${searched.reason}`);
}

function started(): Worker {
  const begun = new Worker(join(import.meta.dirname, `pattern-thread${extname(import.meta.filename)}`));
  const settle = (id: number, searched: Searched) => {
    waiting.get(id)?.(searched);
    waiting.delete(id);
    if (waiting.size === 0) begun.unref();
  };
  const lost = (reason: string) => {
    if (thread === begun) thread = undefined;
    for (const id of waiting.keys()) settle(id, { kind: "failed", reason });
  };
  begun.on("message", ({ id, searched }: { readonly id: number; readonly searched: Searched }) => settle(id, searched));
  begun.on("error", (error) => lost(error instanceof Error ? error.message : String(error)));
  begun.on("exit", (code) => lost(`the thread that searches ended with code ${code}`));
  return begun;
}

function tooSlow(): PanewardError {
  return new PanewardError("bad_input", "the pattern takes too long to match; the search was stopped", {
    hint: "write it without a repetition inside of a repetition: not (a+)+b but a+b",
  });
}
