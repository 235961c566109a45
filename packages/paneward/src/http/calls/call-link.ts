import type { Duplex } from "node:stream";
import { type ErrorBody, Lines, PanewardError } from "@paneward/sdk";
import { type Limits, maxBody } from "../access/limits.ts";

/** One call, as it came. */
export interface Call {
  readonly name: string;
  readonly input: unknown;
  /** How long its line was. */
  readonly bytes: number;
}

/** What a call is answered with. */
export type Said = { readonly output: object } | ErrorBody;

/** Never throws: a failure is an answer. */
export type AnswerCall = (call: Call, signal: AbortSignal) => Promise<Said>;

export interface CallLink {
  /** Takes no more calls, answers those that are under way, and closes. */
  readonly end: () => void;
}

const closeMs = 500;
// Answers that come at the same time leave together, unless that would keep the reader idle for long.
const enough = 16_384;

/** Reads calls from a connection, line by line, and answers each as soon as it can be. */
export function openCallLink(socket: Duplex, answer: AnswerCall, limits: Limits): CallLink {
  const lines = new Lines(maxBody(limits));
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const underWay = new Map<number, AbortController>();
  let unsaid = "";
  let isEnding = false;
  let isClosed = false;
  let blocked: NodeJS.Timeout | undefined;

  const flush = () => {
    if (unsaid === "" || !socket.writable) return;
    const isTaken = socket.write(unsaid);
    unsaid = "";
    if (isTaken || blocked) return;
    // Whoever does not read answers is not asked for more calls.
    socket.pause();
    blocked = setTimeout(() => socket.destroy(), limits.blockedMs);
  };
  const say = (said: object) => {
    if (unsaid === "") process.nextTick(flush);
    unsaid += `${JSON.stringify(said)}\n`;
    if (unsaid.length > enough) flush();
  };
  const close = () => {
    isClosed = true;
    flush();
    socket.end();
    // A client that sleeps never says goodbye back.
    setTimeout(() => socket.destroy(), closeMs).unref();
  };
  const perform = async (id: number, call: Call) => {
    const gone = new AbortController();
    underWay.set(id, gone);
    const said = await answer(call, gone.signal);
    // A call that was given up has no answer.
    if (underWay.get(id) === gone) {
      underWay.delete(id);
      say({ id, ...said });
    }
    if (isEnding && !isClosed && underWay.size === 0) close();
  };
  const hear = (line: string) => {
    const { id, cancel, call, input = {} } = messageIn(line);
    if (cancel !== undefined) {
      underWay.get(cancel)?.abort();
      underWay.delete(cancel);
    } else if (underWay.has(id)) {
      throw new PanewardError("bad_input", `the call ${id} is not answered yet`, { hint: "count the ids up" });
    } else if (isEnding) say({ id, ...stopping().toBody() });
    else if (underWay.size >= limits.callsAtOnce) say({ id, ...tooManyAtOnce(limits).toBody() });
    else void perform(id, { name: call, input, bytes: Buffer.byteLength(line) });
  };

  socket.on("data", (chunk: Buffer) => {
    if (isClosed) return;
    try {
      for (const line of linesIn(lines, decoder, chunk)) if (line.trim() !== "") hear(line);
    } catch (error) {
      // Where one line ends and the next begins is no longer sure.
      say((error as PanewardError).toBody());
      close();
    }
  });
  socket.on("drain", () => {
    clearTimeout(blocked);
    blocked = undefined;
    socket.resume();
  });
  socket.on("end", () => socket.end());
  socket.on("close", () => {
    clearTimeout(blocked);
    for (const gone of underWay.values()) gone.abort();
    underWay.clear();
  });
  return {
    end() {
      if (isEnding) return;
      isEnding = true;
      if (underWay.size === 0) return close();
      setTimeout(() => socket.destroy(), limits.graceMs).unref();
    },
  };
}

function linesIn(lines: Lines, decoder: TextDecoder, chunk: Buffer): readonly string[] {
  let text: string;
  try {
    text = decoder.decode(chunk, { stream: true });
  } catch (cause) {
    throw new PanewardError("bad_input", "what was sent is not UTF-8", { cause });
  }
  try {
    return lines.take(text);
  } catch (cause) {
    throw new PanewardError("too_large", (cause as Error).message, { cause });
  }
}

type Message =
  | { readonly cancel: number; readonly id?: never; readonly call?: never; readonly input?: never }
  | { readonly cancel?: never; readonly id: number; readonly call: string; readonly input?: unknown };

function messageIn(line: string): Message {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch (cause) {
    throw notACall(cause);
  }
  const { id, call, cancel } = (message ?? {}) as Partial<Record<string, unknown>>;
  if (!Number.isSafeInteger(cancel) && !(Number.isSafeInteger(id) && typeof call === "string")) throw notACall();
  return message as Message;
}

function notACall(cause?: unknown): PanewardError {
  return new PanewardError("bad_input", "a line was no call", {
    hint: 'a call is {"id":1,"call":"ping","input":{}}, and {"cancel":1} gives it up',
    cause,
  });
}

function stopping(): PanewardError {
  return new PanewardError("unavailable", "this connection is being closed; nothing was done", {
    hint: "connect again",
  });
}

function tooManyAtOnce({ callsAtOnce }: Limits): PanewardError {
  return new PanewardError("rate_limited", `more than ${callsAtOnce} calls of one connection wait for their answers`, {
    hint: "wait for answers before you call again",
  });
}
