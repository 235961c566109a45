import type { Duplex } from "node:stream";
import { Lines, PanewardError } from "@paneward/sdk";
import { type Limits, maxBody } from "../access/limits.ts";
import { longText } from "../access/shares.ts";

/** One call as received. */
export interface Call {
  readonly name: string;
  readonly input: unknown;
  /** The length of its line. */
  readonly bytes: number;
}

export interface CallAnswer {
  /** An object with the output or the error. */
  readonly json: string;
  /** Called when the client has taken it, or will not. */
  readonly over: () => void;
}

/** Never rejects: a failure is an answer too. */
export type AnswerCall = (call: Call, signal: AbortSignal) => Promise<CallAnswer>;

export interface CallLink {
  /** Takes no more calls, answers the pending ones, and closes. */
  readonly end: () => void;
  /** Closes at once; pending calls are cancelled. */
  readonly cut: () => void;
}

const closeMs = 500;
// Answers that are ready at the same time are written together, up to this many characters.
const maxUnsent = 16_384;

/** Takes a share for a long line that is not complete yet; throws if its caller has too many. */
export type TakeLongLine = () => () => void;

/** Reads calls from a connection, line by line, and answers each as soon as it can be. */
export function openCallLink(socket: Duplex, answer: AnswerCall, takeLongLine: TakeLongLine, limits: Limits): CallLink {
  const lines = new Lines(maxBody(limits));
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const pending = new Map<number, AbortController>();
  /** With those that were cancelled and have not ended yet. */
  let underWay = 0;
  let unsent = "";
  let sending: (() => void)[] = [];
  let giveLineBack: (() => void) | undefined;
  let isEnding = false;
  let isClosed = false;
  let blocked: NodeJS.Timeout | undefined;

  // Calls that were cancelled give room at once, unless they are so many that they do not end.
  const isFull = () => pending.size >= limits.maxPendingCalls || underWay >= 2 * limits.maxPendingCalls;
  const flush = () => {
    if (unsent === "" || !socket.writable) return;
    const over = sending;
    const isTaken = socket.write(unsent, () => callAll(over));
    unsent = "";
    sending = [];
    if (isTaken || blocked) return;
    // Read no more calls from a client that does not read its answers.
    socket.pause();
    blocked = setTimeout(() => socket.destroy(), limits.blockedMs);
  };
  const write = (line: string) => {
    if (unsent === "") process.nextTick(flush);
    unsent += `${line}\n`;
    if (unsent.length > maxUnsent) flush();
  };
  const send = (message: object) => write(JSON.stringify(message));
  const close = () => {
    isClosed = true;
    flush();
    socket.end();
    // A suspended client never closes its side.
    setTimeout(() => socket.destroy(), closeMs).unref();
  };
  const perform = async (id: number, call: Call) => {
    const gone = new AbortController();
    pending.set(id, gone);
    underWay++;
    const { json, over } = await answer(call, gone.signal);
    underWay--;
    // A cancelled call gets no answer.
    if (pending.get(id) === gone) {
      pending.delete(id);
      sending.push(over);
      write(`{"id":${id},${json.slice(1)}`);
    } else over();
    if (isEnding && !isClosed && pending.size === 0) close();
  };
  const cancelCall = (id: number) => {
    pending.get(id)?.abort();
    pending.delete(id);
  };
  const receive = (line: string) => {
    const message = messageIn(line);
    if (message.kind === "cancel") return cancelCall(message.id);
    const { id, name, input } = message;
    if (pending.has(id)) {
      throw new PanewardError("bad_input", `the call ${id} is not answered yet`, { hint: "give each call a new id" });
    } else if (isEnding) send({ id, ...stopping().toBody() });
    else if (isFull()) send({ id, ...tooManyAtOnce(limits).toBody() });
    else void perform(id, { name, input, bytes: Buffer.byteLength(line) });
  };

  const shareLine = () => {
    if (lines.unfinished > longText) giveLineBack ??= takeLongLine();
    else {
      giveLineBack?.();
      giveLineBack = undefined;
    }
  };

  socket.on("data", (chunk: Buffer) => {
    if (isClosed) return;
    try {
      for (const line of linesIn(lines, decoder, chunk)) if (line.trim() !== "") receive(line);
      shareLine();
    } catch (error) {
      // After a wrong line, the boundaries of the next ones cannot be trusted.
      const failure =
        error instanceof PanewardError
          ? error
          : new PanewardError("unexpected", "the daemon failed unexpectedly", { cause: error });
      send(failure.toBody());
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
    for (const gone of pending.values()) gone.abort();
    pending.clear();
    callAll(sending);
    giveLineBack?.();
  });
  return {
    end() {
      if (isEnding) return;
      isEnding = true;
      if (pending.size === 0) return close();
      setTimeout(() => socket.destroy(), limits.graceMs).unref();
    },
    cut: () => void socket.destroy(),
  };
}

function callAll(listeners: readonly (() => void)[]): void {
  for (const listener of listeners) listener();
}

function linesIn(lines: Lines, decoder: TextDecoder, chunk: Buffer): readonly string[] {
  let text: string;
  try {
    text = decoder.decode(chunk, { stream: true });
  } catch (cause) {
    throw new PanewardError("bad_input", "the data is not UTF-8", { cause });
  }
  try {
    return lines.take(text);
  } catch (cause) {
    throw new PanewardError("too_large", (cause as Error).message, { cause });
  }
}

type Message =
  | { readonly kind: "cancel"; readonly id: number }
  | { readonly kind: "call"; readonly id: number; readonly name: string; readonly input: unknown };

function messageIn(line: string): Message {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch (cause) {
    throw notACall(cause);
  }
  const { id, call, cancel, input = {} } = (message ?? {}) as Partial<Record<string, unknown>>;
  if (isId(cancel)) return { kind: "cancel", id: cancel };
  if (isId(id) && typeof call === "string") return { kind: "call", id, name: call, input };
  throw notACall();
}

function isId(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function notACall(cause?: unknown): PanewardError {
  return new PanewardError("bad_input", "a line is not a valid call", {
    hint: 'a call is {"id":1,"call":"ping","input":{}}, and {"cancel":1} cancels it',
    cause,
  });
}

function stopping(): PanewardError {
  return new PanewardError("unavailable", "this connection is being closed; nothing was done", {
    hint: "connect again",
  });
}

function tooManyAtOnce({ maxPendingCalls }: Limits): PanewardError {
  return new PanewardError("rate_limited", `more than ${maxPendingCalls} calls of this connection are pending`, {
    hint: "wait for answers before the next call",
  });
}
