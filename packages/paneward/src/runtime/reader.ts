import type { Output, Parsed } from "@paneward/sdk";
import { backBy } from "../model/cursor.ts";
import { plainText, wholeLength } from "../model/plain-text.ts";
import type { TerminalRecord } from "../model/records.ts";
import type { ReadBytes } from "./ports.ts";
import { resolveTerminal } from "./resolve.ts";
import type { Runtime } from "./runtime.ts";
import { judgeTerminal } from "./views.ts";

/** New output since a cursor, as plain text; waits for something new if asked to. The cost grows with the new bytes. */
export async function read(rt: Runtime, input: Parsed<"read">, signal?: AbortSignal): Promise<Output<"read">> {
  const terminal = resolveTerminal(rt, input.id);
  const deadline = rt.clock.now() + input.wait * 1_000;
  for (let since = input.since; ; ) {
    const waiting = whenNews(rt, terminal.id, signal);
    const answer = await readOnce(rt, terminal, since, input);
    const left = deadline - rt.clock.now();
    if (answer.output !== "" || answer.missed > 0 || left <= 0 || isEnded(rt, terminal.id) || signal?.aborted) {
      waiting.cancel();
      return answer;
    }
    since = answer.cursor;
    await waiting.orAfter(left);
  }
}

const bytesPerLine = 200;

async function readOnce(
  rt: Runtime,
  terminal: TerminalRecord,
  since: string | undefined,
  input: Parsed<"read">,
): Promise<Output<"read">> {
  const { host, journal } = terminal;
  const from =
    since ??
    (input.lines === undefined
      ? undefined
      : await rt.terminals.cursorBeforeEnd(host, journal, input.lines * bytesPerLine));
  const max =
    since === undefined && input.lines !== undefined
      ? Math.max(input.max_bytes, input.lines * bytesPerLine)
      : input.max_bytes;
  const chunk = await gather(rt, terminal, from, max);
  const whole = chunk.atEnd && isEnded(rt, terminal.id) ? chunk.bytes.length : wholeLength(chunk.bytes);
  const text = plainText(new TextDecoder().decode(chunk.bytes.subarray(0, whole)));
  const output = input.lines === undefined ? text : lastLines(text, input.lines);
  const record = rt.store.terminal(terminal.id) ?? terminal;
  return {
    output,
    cursor: backBy(chunk.cursor, chunk.bytes.length - whole),
    lines: output === "" ? 0 : output.split("\n").length - (output.endsWith("\n") ? 1 : 0),
    has_more: !chunk.atEnd,
    missed: chunk.missed + (chunk.hole ? 1 : 0),
    state: judgeTerminal(rt, record).status,
  };
}

// A pipe that was opened again, and a limit that was reached, each end a chunk before the budget is used up.
async function gather(
  rt: Runtime,
  { host, journal }: TerminalRecord,
  from: string | undefined,
  max: number,
): Promise<ReadBytes> {
  const pieces: Uint8Array[] = [];
  let left = max;
  let missed = 0;
  let hole = false;
  for (let cursor = from; ; ) {
    const chunk = await rt.terminals.read(host, journal, cursor, left);
    pieces.push(chunk.bytes);
    left -= chunk.bytes.length;
    missed += chunk.missed;
    hole ||= chunk.hole;
    if (chunk.atEnd || left <= 0) return { ...chunk, bytes: joined(pieces), missed, hole };
    cursor = chunk.cursor;
  }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

function lastLines(text: string, lines: number): string {
  const all = text.split("\n");
  const end = all.at(-1) === "" ? 1 : 0;
  return all.slice(-(lines + end)).join("\n");
}

function isEnded(rt: Runtime, id: string): boolean {
  return rt.store.terminal(id)?.phase !== "running";
}

// Output and ends of one terminal; whichever comes first, or the time.
function whenNews(
  rt: Runtime,
  id: string,
  signal: AbortSignal | undefined,
): { orAfter(ms: number): Promise<void>; cancel(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const gone = () => resolve();
  signal?.addEventListener("abort", gone);
  const stop = [
    () => signal?.removeEventListener("abort", gone),
    rt.terminals.onNews((news) => {
      if (news.kind === "output" && rt.store.terminal(id)?.place?.pane === news.place.pane) resolve();
    }),
    rt.store.onEvents(() => {
      if (isEnded(rt, id)) resolve();
    }),
  ];
  const cancel = () => {
    for (const end of stop) end();
  };
  return {
    cancel,
    async orAfter(ms) {
      const timer = setTimeout(resolve, ms);
      await promise;
      clearTimeout(timer);
      cancel();
    },
  };
}
