import { ControlParser } from "./parser.ts";
import { controlLine, type Sequence } from "./quote.ts";

/** How a request ended: the output of all its commands in order, or the error message of the first that failed. */
export type Answer =
  | { readonly ok: true; readonly lines: readonly string[] }
  | { readonly ok: false; readonly error: string; readonly done: number };

export interface Request {
  readonly sequence: Sequence;
  /**
   * A random word, set when the answer contains text written by a program in a pane. The sequence is then one command.
   */
  readonly seal?: string;
  readonly onAnswer: (answer: Answer) => void;
  readonly onAbandoned: (reason: string) => void;
  /** Called for each command as its block arrives; for requests whose last command is answered much later. */
  readonly onBlock?: (lines: readonly string[], index: number) => void;
}

interface Pending extends Request {
  readonly lines: string[];
  done: number;
}

/** Matches answers to requests. tmux answers in order: one block per command, and none after the first `%error`. */
export class Conversation {
  readonly #pending: Pending[] = [];
  readonly #parser = new ControlParser(() => this.#pending[0]?.seal);
  readonly #onNotification: (name: string, rest: string) => void;
  readonly #onForeignBlock: (ok: boolean, lines: readonly string[]) => void;

  constructor(news: {
    readonly onNotification?: (name: string, rest: string) => void;
    /** Called for blocks that no request caused; the first is the answer to the attach. */
    readonly onForeignBlock?: (ok: boolean, lines: readonly string[]) => void;
  }) {
    this.#onNotification = news.onNotification ?? (() => {});
    this.#onForeignBlock = news.onForeignBlock ?? (() => {});
  }

  /** Registers a request and returns the text to write: its line, and the seal's line if there is one. */
  ask(request: Request): string {
    // A line that cannot be written throws here, before the request is registered.
    const line = `${controlLine(request.sequence)}\n`;
    this.#pending.push({ ...request, lines: [], done: 0 });
    return request.seal === undefined ? line : `${line}${controlLine([["display-message", "-p", request.seal]])}\n`;
  }

  /** Consumes output of tmux. */
  receive(text: string): void {
    for (const message of this.#parser.feed(text)) {
      if (message.kind === "notification") this.#onNotification(message.name, message.rest);
      else if (!message.ours) this.#onForeignBlock(message.ok, message.lines);
      else this.#block(message.ok, message.lines);
    }
  }

  /** Returns all unanswered requests, oldest first, and forgets them. */
  abandon(): readonly Request[] {
    return this.#pending.splice(0);
  }

  get unanswered(): number {
    return this.#pending.length;
  }

  #block(ok: boolean, lines: readonly string[]): void {
    const head = this.#pending[0];
    if (!head) return;
    if (!ok) {
      this.#pending.shift();
      head.onAnswer({ ok: false, error: lines.join("\n"), done: head.done });
      return;
    }
    head.onBlock?.(lines, head.done);
    for (const line of lines) head.lines.push(line);
    head.done += 1;
    if (head.done < head.sequence.length) return;
    this.#pending.shift();
    head.onAnswer({ ok: true, lines: head.lines });
  }
}
