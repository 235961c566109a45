import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { StringDecoder } from "node:string_decoder";
import { type Answer, Conversation, type Request } from "../protocol/conversation.ts";
import { errorTypeOf, TmuxError } from "../protocol/errors.ts";
import type { Sequence } from "../protocol/quote.ts";
import { type AttachGate, attachGate } from "./attach-gate.ts";
import { endNow } from "./child.ts";
import { Greeting } from "./greeting.ts";
import { isLocal, onHost } from "./host.ts";
import { type Address, tmuxArgv } from "./spawn.ts";
import { startChild } from "./start-child.ts";
import { answerLimitMs, type RunOptions, type Transport } from "./transport.ts";

/**
 * One long-lived `tmux -C attach`: commands are written as lines and pipelined. It ends with the server, the network or
 * the process; then the outcome of every unanswered command is unknown.
 */
export class ControlConnection implements Transport {
  readonly kind = "control";
  /** Resolves with the reason when the connection ends. */
  readonly ended: Promise<string>;
  readonly #child: ChildProcess;
  readonly #conversation: Conversation;
  readonly #gate: AttachGate;
  readonly #limitMs: number;
  #reason: string | undefined;
  #waiting = "";

  private constructor(
    child: ChildProcess,
    conversation: Conversation,
    ended: Promise<string>,
    gate: AttachGate,
    limitMs: number,
  ) {
    this.#child = child;
    this.#limitMs = limitMs;
    this.#gate = gate;
    this.#conversation = conversation;
    this.ended = ended.then((reason) => this.#end(reason));
  }

  /** Attaches to `session` without affecting its size and without receiving its output. */
  static open(address: Address, session: string): Promise<ControlConnection> {
    return attachGate(address).attach(() => ControlConnection.#attach(address, session));
  }

  static async #attach(address: Address, session: string): Promise<ControlConnection> {
    const { file, args, env } = onHost(address.host, controlArgv(address, session));
    const child = startChild(file, args, { env });
    const opened = Promise.withResolvers<void>();
    let exitReason = "";
    const conversation = new Conversation({
      onForeignBlock: (ok, lines) => (ok ? opened.resolve() : opened.reject(startError(lines.join("\n")))),
      onNotification: (name, rest) => {
        if (name === "exit") exitReason = rest || "detached";
      },
    });
    const decoder = new StringDecoder("utf8");
    const greeting = isLocal(address.host) ? undefined : new Greeting();
    child.stdout.on("data", (chunk: Buffer) =>
      conversation.receive(decoder.write(greeting ? greeting.after(chunk) : chunk)),
    );
    const stderr: string[] = [];
    child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk.toString()));
    child.stdin.on("error", () => {});
    const ended = new Promise<string>((resolve) => {
      child.on("error", (error) => resolve(error.message));
      child.on("close", (code, signal) => {
        resolve(stderr.join("").trim() || exitReason || `control client ended (${signal ?? `code ${code}`})`);
      });
    });
    ended.then((reason) => opened.reject(startError(reason)));
    const limit = answerLimitMs(address.host);
    const timer = setTimeout(() => opened.reject(new TmuxError("timeout", "control mode did not start")), limit);
    try {
      await opened.promise;
    } catch (error) {
      endNow(child);
      throw error;
    } finally {
      clearTimeout(timer);
    }
    return new ControlConnection(child, conversation, ended, attachGate(address), limit);
  }

  run(sequence: Sequence, options: RunOptions = {}): Promise<readonly string[]> {
    return this.converse(sequence, options);
  }

  /** Like `run`; `onBlock` gets each command's answer as it arrives, for a sequence whose end comes much later. */
  converse(
    sequence: Sequence,
    options: RunOptions & { readonly endless?: boolean } = {},
    onBlock?: Request["onBlock"],
  ): Promise<readonly string[]> {
    if (this.#reason !== undefined) return Promise.reject(notConnected(sequence, this.#reason));
    return new Promise((resolve, reject) => {
      const timeoutMs = options.timeoutMs ?? this.#limitMs;
      const late = () => reject(timeoutError(sequence, timeoutMs, options));
      const timer = options.endless ? undefined : setTimeout(late, timeoutMs);
      const request: Request = {
        sequence,
        ...(options.untrusted ? { seal: randomBytes(12).toString("hex") } : {}),
        ...(onBlock ? { onBlock } : {}),
        onAnswer: (answer) => {
          clearTimeout(timer);
          if (answer.ok) resolve(answer.lines);
          else reject(refused(sequence, answer, options));
        },
        onAbandoned: (reason) => {
          clearTimeout(timer);
          reject(outcomeUnknown(sequence, reason));
        },
      };
      this.#write(this.#conversation.ask(request));
    });
  }

  /** A detaching client notifies the other clients, like a command. */
  close(): Promise<void> {
    return this.#reason === undefined ? this.#gate.command(() => this.#leave()) : Promise.resolve();
  }

  async #leave(): Promise<void> {
    this.#child.stdin?.end();
    const timer = setTimeout(() => endNow(this.#child), 500);
    await this.ended;
    clearTimeout(timer);
  }

  get connected(): boolean {
    return this.#reason === undefined;
  }

  /** The pid of the control client; tests kill it. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  // Lines from one turn of the event loop are written together; of many, tmux gets the first while we write the rest.
  #write(line: string): void {
    if (this.#waiting === "") queueMicrotask(() => this.#flush());
    this.#waiting += line;
    if (this.#waiting.length > maxQueuedLength) this.#flush();
  }

  #flush(): void {
    const text = this.#waiting;
    this.#waiting = "";
    if (text !== "") this.#child.stdin?.write(text);
  }

  #end(reason: string): string {
    this.#reason = reason;
    for (const request of this.#conversation.abandon()) request.onAbandoned(reason);
    return reason;
  }
}

/** The command line of the client. */
export function controlArgv(address: Address, session: string): readonly string[] {
  return tmuxArgv(address, ["-C", "attach-session", "-t", `=${session}`, "-f", "no-output,ignore-size"]);
}

const maxQueuedLength = 4_096;

function startError(text: string): TmuxError {
  return new TmuxError(errorTypeOf(text), `control mode did not start: ${text}`, { stderr: text });
}

function refused(sequence: Sequence, answer: Answer & { readonly ok: false }, { readOnly }: RunOptions): TmuxError {
  const failed = sequence[answer.done] ?? sequence[0] ?? [];
  return new TmuxError(errorTypeOf(answer.error), `tmux ${failed[0] ?? ""}: ${answer.error}`, {
    argv: failed,
    stderr: answer.error,
    delivered: answer.done > 0 && !readOnly ? "maybe" : "no",
  });
}

function timeoutError(sequence: Sequence, ms: number, { readOnly }: RunOptions): TmuxError {
  const still = readOnly ? "" : "; the command may still take effect";
  return new TmuxError("timeout", `tmux did not answer within ${ms} ms${still}`, {
    argv: sequence.flat(),
    delivered: readOnly ? "no" : "maybe",
  });
}

function notConnected(sequence: Sequence, reason: string): TmuxError {
  return new TmuxError("server_lost", `not connected: ${reason}`, { argv: sequence.flat(), delivered: "no" });
}

function outcomeUnknown(sequence: Sequence, reason: string): TmuxError {
  return new TmuxError("unknown", `outcome unknown: the connection ended before tmux answered (${reason})`, {
    argv: sequence.flat(),
    delivered: "maybe",
  });
}
