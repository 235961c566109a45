import { PanewardError, type Parsed, type Waited } from "@paneward/sdk";
import { type Observed, satisfied } from "../../model/output/wait.ts";
import { formatToken, parseToken, type WaitProgress } from "../../model/output/wait-token.ts";
import { judgeTask, judgeTerminal } from "../attention/judge-status.ts";
import type { Caller } from "../calls.ts";
import type { QuestionBook } from "../questions/question-book.ts";
import { current, type Found, resolve } from "../resolve.ts";
import { within } from "../within.ts";
import type { World } from "../world.ts";
import { OutputSearch } from "./output-search.ts";
import { patternFrom } from "./pattern.ts";
import type { ReadDeps } from "./reader.ts";

export interface WaitDeps
  extends Pick<ReadDeps, "clock" | "store" | "terminals" | "attention">,
    Pick<World, "machine"> {
  readonly questions: QuestionBook;
}

/**
 * Waits until any or all of the ids meet a condition. Checks at once, then only when something changed. Results come in
 * the order of the ids.
 */
export async function wait(
  deps: WaitDeps,
  input: Parsed<"wait">,
  caller: Pick<Caller, "who" | "signal">,
): Promise<{ results: Waited[] }> {
  const { signal } = caller;
  const before = input.resume === undefined ? { done: [], cursors: {} } : resumed(input.resume);
  const patterns = patternsOf(input);
  const search = new OutputSearch(deps, patterns, before.cursors, caller);
  const results = new Map<string, Waited>(before.done.map((one) => [idOf(one), one]));
  const inOrder = () => [...results.values()].toSorted((one, other) => placeOf(one) - placeOf(other));
  const placeOf = (one: Waited) => input.ids.indexOf(idOf(one));
  const deadline = deps.clock.monotonic() + input.timeout * 1_000;
  const bell = newsBell(deps, patterns.length > 0, signal);
  try {
    const wanted = new Map(input.ids.map((id) => [id, resolve(deps, id)]));
    for (;;) {
      const news = bell.next();
      for (const [id, found] of wanted) {
        if (results.has(id)) continue;
        const result = await check(deps, id, current(deps, found), input, search);
        if (result) results.set(id, result);
      }
      const enough = input.mode === "any" ? results.size > 0 : results.size === wanted.size;
      if (enough) return { results: inOrder() };
      const left = deadline - deps.clock.monotonic();
      if (left <= 0 || signal?.aborted) {
        const resume = formatToken({ done: inOrder(), cursors: search.cursors });
        return { results: [...inOrder(), { kind: "timed_out", resume }] };
      }
      await within(deps.clock, news, left);
    }
  } finally {
    bell.stop();
  }
}

function idOf(one: Waited): string {
  return "id" in one ? one.id : "";
}

function observe(deps: WaitDeps, id: string, found: Found): Observed & { readonly terminal: string | undefined } {
  if (found.kind === "terminal") {
    const { status } = judgeTerminal(deps, found.terminal);
    const question = deps.questions.of(found.terminal.id);
    const { id: terminal, end } = found.terminal;
    return { id, status, end, terminal, ...(question === undefined ? {} : { question }) };
  }
  const terminal = found.task.terminal === undefined ? undefined : deps.store.terminal(found.task.terminal);
  const question = terminal && deps.questions.of(terminal.id);
  const { status } = judgeTask(deps, found.task);
  return { id, status, end: terminal?.end, terminal: terminal?.id, ...(question === undefined ? {} : { question }) };
}

// Search the output before reporting an end: the last thing a program printed still counts.
async function check(
  deps: WaitDeps,
  id: string,
  found: Found,
  input: Parsed<"wait">,
  search: OutputSearch,
): Promise<Waited | undefined> {
  const observed = observe(deps, id, found);
  const match = observed.terminal === undefined ? undefined : await search.searchIn(observed.terminal);
  return match === undefined ? satisfied(observed, input.for) : { kind: "output", id, match };
}

function patternsOf(input: Parsed<"wait">): readonly RegExp[] {
  return input.for.flatMap((one) => (one.kind === "output" ? [patternFrom(one.pattern, "u")] : []));
}

function resumed(token: string): WaitProgress {
  const progress = parseToken(token);
  if (progress) return progress;
  throw new PanewardError("bad_input", "the resume token cannot be read", {
    hint: "take it from a wait that timed out",
  });
}

// Rings at every event, at an abort, and at every output if that is searched.
function newsBell(world: Pick<World, "store" | "terminals">, atOutput: boolean, signal: AbortSignal | undefined) {
  let ringing = Promise.withResolvers<void>();
  const ring = () => {
    ringing.resolve();
    ringing = Promise.withResolvers();
  };
  signal?.addEventListener("abort", ring);
  const stops = [
    () => signal?.removeEventListener("abort", ring),
    world.store.onEvents(ring),
    world.terminals.onNews((news) => {
      if (atOutput && news.kind === "output") ring();
    }),
  ];
  return {
    next: () => ringing.promise,
    stop() {
      for (const stop of stops) stop();
    },
  };
}
