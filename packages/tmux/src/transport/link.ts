import { TmuxError } from "../protocol/errors.ts";
import type { Sequence } from "../protocol/quote.ts";
import { type AttachGate, attachGate } from "./attach-gate.ts";
import { ControlConnection } from "./control.ts";
import { type Address, spawnTransport } from "./spawn.ts";
import type { RunOptions, Transport } from "./transport.ts";

/** How commands are sent at the moment, and the reason if not by control mode. */
export type LinkStatus =
  | { readonly transport: "control" }
  | { readonly transport: "spawn"; readonly reason: string; readonly attempts: number };

export interface LinkOptions {
  readonly session: string;
  readonly onStatus?: (status: LinkStatus) => void;
  /** If false, every command is a process of its own, and control mode is never tried. */
  readonly controlMode?: boolean;
  /** First and maximum pause between attempts to restore control mode. */
  readonly backOffMs?: readonly [number, number];
}

/** Uses control mode while it works and a process per command while it does not; reconnects by itself. */
export class Link {
  readonly #address: Address;
  readonly #options: LinkOptions;
  readonly #spawn: Transport;
  readonly #gate: AttachGate;
  #control: ControlConnection | undefined;
  #status: LinkStatus = { transport: "spawn", reason: "not connected yet", attempts: 0 };
  #retry: NodeJS.Timeout | undefined;
  #connecting: Promise<void> = Promise.resolve();
  #closed = false;
  /** The server process this link talks to: pid and start time. */
  #server: string | undefined;
  /** Permanent once another server answers on the socket: pane ids mean different panes there. */
  #replaced = false;

  constructor(address: Address, options: LinkOptions) {
    this.#address = address;
    this.#options = options;
    this.#spawn = spawnTransport(address);
    this.#gate = attachGate(address);
  }

  get status(): LinkStatus {
    return this.#status;
  }

  /** The pid of the control client, if there is one. */
  get controlPid(): number | undefined {
    return this.#control?.pid;
  }

  /** Tries control mode once; on failure the link spawns processes and keeps trying. */
  connect(): Promise<void> {
    this.#connecting = this.#connect();
    return this.#connecting;
  }

  async #connect(): Promise<void> {
    if (this.#options.controlMode === false) {
      return this.#set({ transport: "spawn", reason: "control mode is switched off", attempts: 0 });
    }
    try {
      const control = await ControlConnection.open(this.#address, this.#options.session);
      if (this.#closed || !(await this.#isOurs(control))) return await control.close();
      this.#control = control;
      this.#set({ transport: "control" });
      control.ended.then((reason) => this.#lost(reason));
    } catch (error) {
      this.#lost((error as Error).message);
    }
  }

  async #isOurs(control: ControlConnection): Promise<boolean> {
    const [server] = await control.run([["display-message", "-p", "#{pid} #{start_time}"]]);
    this.#server ??= server;
    if (server === this.#server) return true;
    this.#replaced = true;
    this.#set({ transport: "spawn", reason: "another tmux server answers on this socket", attempts: 0 });
    return false;
  }

  /** Read-only sequences run at any time; others wait while a client attaches. */
  async run(sequence: Sequence, options: RunOptions = {}): Promise<readonly string[]> {
    if (this.#replaced)
      throw new TmuxError("server_lost", "another tmux server answers on this socket", { argv: sequence.flat() });
    if (options.readOnly) return this.#run(sequence, options);
    if (this.#gate.closed) await this.#gate.opened();
    this.#gate.enter();
    try {
      return await this.#run(sequence, options);
    } finally {
      this.#gate.leave();
    }
  }

  #run(sequence: Sequence, options: RunOptions): Promise<readonly string[]> {
    const control = options.stdin === undefined ? this.#control : undefined;
    if (!control?.connected) return this.#spawn.run(sequence, options);
    const answer = control.run(sequence, options);
    return options.readOnly ? answer.catch((error) => this.#askAgain(error, sequence, options)) : answer;
  }

  // A read-only sequence whose answer was lost with the connection is retried by spawning.
  #askAgain(error: unknown, sequence: Sequence, options: RunOptions): Promise<readonly string[]> {
    if (!(error instanceof TmuxError && error.type === "unknown")) throw error;
    return this.#spawn.run(sequence, options);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#connecting;
    await this.#control?.close();
  }

  #lost(reason: string): void {
    this.#control = undefined;
    if (this.#closed) return;
    const attempts = this.#status.transport === "spawn" ? this.#status.attempts + 1 : 0;
    this.#set({ transport: "spawn", reason, attempts });
    const [first, max] = this.#options.backOffMs ?? [50, 5_000];
    this.#retry = setTimeout(() => this.connect(), Math.min(max, first * 2 ** attempts)).unref();
  }

  #set(status: LinkStatus): void {
    this.#status = status;
    this.#options.onStatus?.(status);
  }
}
