import type { Address } from "./spawn.ts";
import { answerLimitMs } from "./transport.ts";

/**
 * Keeps commands from running while a control client attaches.
 *
 * tmux 3.3a crashes on a null pointer when it notifies control clients of a new or closed session, a changed pane mode
 * or a new or detached client while another control client is only half attached: 10 of 10 servers crashed within a
 * second of concurrent attaching and opening sessions. So an attachment waits for running commands and holds back later
 * ones. Both waits are as long as the host may take to answer: an attachment is given up then, and a command may hang.
 */
export class AttachGate {
  #commands = 0;
  #attachments = 0;
  /** Commands admitted after a wait that have not called `enter` yet; they already count as running. */
  #reserved = 0;
  readonly #queue: Waiting[] = [];
  readonly #maxWaitMs: number;

  constructor(maxWaitMs = answerLimitMs({})) {
    this.#maxWaitMs = maxWaitMs;
  }

  /** Runs something that may notify control clients. Waits only while a client attaches. */
  async command<Result>(run: () => Promise<Result>): Promise<Result> {
    if (this.closed) await this.opened();
    this.enter();
    try {
      return await run();
    } finally {
      this.leave();
    }
  }

  /** The parts of `command`, for a caller that runs thousands of them and avoids extra promises. */
  get closed(): boolean {
    return this.#attachments > 0 || this.#queue.length > 0;
  }

  /** Waits to be admitted, and reserves a place until `enter` takes it: no attachment starts in between. */
  opened(): Promise<void> {
    return this.#waitInQueue("command");
  }

  enter(): void {
    if (this.#reserved > 0) this.#reserved -= 1;
    else this.#commands += 1;
  }

  leave(): void {
    this.#commands -= 1;
    this.#admitNext();
  }

  /** Attaches clients, one at a time. */
  async attach<Result>(attach: () => Promise<Result>): Promise<Result> {
    await this.#waitInQueue("attachment");
    try {
      return await attach();
    } finally {
      this.#attachments -= 1;
      this.#admitNext();
    }
  }

  // First come, first served: neither frequent attachments nor a stream of commands starves the other.
  #waitInQueue(kind: Waiting["kind"]): Promise<void> {
    return new Promise((resolve) => {
      const waiting: Waiting = { kind, admit: resolve, timer: setTimeout(() => this.#admit(waiting), this.#maxWaitMs) };
      this.#queue.push(waiting);
      this.#admitNext();
    });
  }

  #admitNext(): void {
    for (let head = this.#queue[0]; head && this.#canRun(head); head = this.#queue[0]) this.#admit(head);
  }

  #canRun({ kind }: Waiting): boolean {
    return this.#attachments === 0 && (kind === "command" || this.#commands === 0);
  }

  #admit(waiting: Waiting): void {
    clearTimeout(waiting.timer);
    this.#queue.splice(this.#queue.indexOf(waiting), 1);
    if (waiting.kind === "attachment") this.#attachments += 1;
    else {
      this.#commands += 1;
      this.#reserved += 1;
    }
    waiting.admit();
  }
}

interface Waiting {
  readonly kind: "command" | "attachment";
  readonly admit: () => void;
  readonly timer: NodeJS.Timeout;
}

/** The gate of a server, shared by all of its users in this process. */
export function attachGate({ host, socketPath }: Address): AttachGate {
  const key = JSON.stringify([host.prefix, socketPath]);
  const gate = gates.get(key)?.deref() ?? new AttachGate(answerLimitMs(host));
  gates.set(key, new WeakRef(gate));
  return gate;
}

const gates = new Map<string, WeakRef<AttachGate>>();
