import type { Address } from "./spawn.ts";

/**
 * Keeps attachments of control clients and commands apart.
 *
 * tmux 3.3a dies of a null pointer when it tells its control clients that a session came or went, that a pane changed
 * its mode or that a client came or left, while another control client is only half attached: 10 of 10 servers died
 * within a second of attaching and opening sessions at the same time. So an attachment waits for the commands that are
 * under way and holds back those that follow; both wait for a limited time only, because the other side may hang.
 */
export class AttachGate {
  #commands = 0;
  #quiet = Promise.withResolvers<void>();
  #attachments = 0;
  #attached: Promise<void> = Promise.resolve();

  /** Runs something that may be news to control clients. Waits only while a client attaches. */
  async command<Result>(run: () => Promise<Result>): Promise<Result> {
    if (this.closed) await this.opened();
    this.enter();
    try {
      return await run();
    } finally {
      this.leave();
    }
  }

  /** The parts of `command`, for a caller that runs thousands of them and counts promises. */
  get closed(): boolean {
    return this.#attachments > 0;
  }

  opened(): Promise<void> {
    return atMost(patienceMs, this.#attached);
  }

  enter(): void {
    this.#commands += 1;
  }

  leave(): void {
    this.#commands -= 1;
    if (this.#commands === 0) this.#quiet.resolve();
  }

  /** Attaches a client, one after the other. */
  async attach<Result>(attach: () => Promise<Result>): Promise<Result> {
    const before = this.#attached;
    const done = Promise.withResolvers<void>();
    this.#attached = done.promise;
    this.#attachments += 1;
    try {
      await before;
      await this.#silence();
      return await attach();
    } finally {
      this.#attachments -= 1;
      done.resolve();
    }
  }

  async #silence(): Promise<void> {
    if (this.#commands === 0) return;
    this.#quiet = Promise.withResolvers();
    await atMost(patienceMs, this.#quiet.promise);
  }
}

/** The gate of a server: the same for all who talk to it from this process. */
export function attachGate({ host, socketPath }: Address): AttachGate {
  const key = JSON.stringify([host.prefix, socketPath]);
  const gate = gates.get(key)?.deref() ?? new AttachGate();
  gates.set(key, new WeakRef(gate));
  return gate;
}

const gates = new Map<string, WeakRef<AttachGate>>();
// A container or an ssh target needs up to 600 ms for an attachment.
const patienceMs = 1_000;

async function atMost(ms: number, promise: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  await Promise.race([promise, late.promise]);
  clearTimeout(timer);
}
