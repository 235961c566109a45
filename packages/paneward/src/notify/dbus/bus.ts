import { connect, type Socket } from "node:net";
import { type BusMessage, decodeMessage, encodeMessage } from "./message.ts";

export interface Call {
  readonly destination: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
}

/** A connection to a message bus. */
export interface Bus {
  /** Returns the values of the reply; throws with the words of an error. */
  call(call: Call, signature?: string, values?: readonly unknown[]): Promise<readonly unknown[]>;
  onSignal(listener: (signal: BusMessage) => void): void;
  readonly isOpen: boolean;
  close(): void;
}

/** Connects to the session bus of the environment; throws if there is none. */
export async function sessionBus(
  env: Readonly<Record<string, string | undefined>>,
  limitMs = answerWithinMs,
): Promise<Bus> {
  const address = env.DBUS_SESSION_BUS_ADDRESS ?? (env.XDG_RUNTIME_DIR && `unix:path=${env.XDG_RUNTIME_DIR}/bus`);
  const path = address && socketIn(address);
  if (!path) throw new Error("there is no session bus: DBUS_SESSION_BUS_ADDRESS is not set");
  const socket = await connected(path);
  const bus = new SocketBus(socket, limitMs);
  await bus.begin();
  return bus;
}

/** `unix:path=/run/user/1000/bus,guid=…;unix:abstract=…`: the first one that is a socket. */
function socketIn(address: string): string | undefined {
  for (const one of address.split(";")) {
    const [, path] = /^unix:.*?path=([^,]*)/.exec(one) ?? [];
    const [, abstract] = /^unix:.*?abstract=([^,]*)/.exec(one) ?? [];
    if (path !== undefined) return decodeURIComponent(path);
    if (abstract !== undefined) return `\0${decodeURIComponent(abstract)}`;
  }
  return undefined;
}

function connected(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once("connect", () => resolve(socket));
    socket.once("error", (cause) =>
      reject(new Error(`the session bus cannot be reached: ${cause.message}`, { cause })),
    );
  });
}

class SocketBus implements Bus {
  readonly #socket: Socket;
  readonly #limitMs: number;
  readonly #pending = new Map<number, { resolve(values: readonly unknown[]): void; reject(error: Error): void }>();
  readonly #listeners: ((signal: BusMessage) => void)[] = [];
  #received: Buffer = Buffer.alloc(0);
  #serial = 0;
  #isGreeted = false;
  #greeted: (() => void) | undefined;
  #refused: ((error: Error) => void) | undefined;

  constructor(socket: Socket, limitMs: number) {
    this.#socket = socket;
    this.#limitMs = limitMs;
    socket.on("data", (bytes: Buffer) => this.#receive(bytes));
    socket.on("error", () => {});
    socket.once("close", () => this.#closed());
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  async begin(): Promise<void> {
    const uid = Buffer.from(String(process.getuid?.() ?? 0)).toString("hex");
    const greeted = new Promise<void>((resolve, reject) => {
      this.#greeted = resolve;
      this.#refused = reject;
    });
    this.#socket.write(`\0AUTH EXTERNAL ${uid}\r\n`);
    const limit = setTimeout(() => {
      this.#refused?.(new Error(`the session bus does not answer within ${this.#limitMs / 1_000} s`));
      this.#socket.destroy();
    }, this.#limitMs);
    await greeted.finally(() => clearTimeout(limit));
    this.#socket.write("BEGIN\r\n");
    await this.call({ ...driver, member: "Hello" });
  }

  call(call: Call, signature = "", values: readonly unknown[] = []): Promise<readonly unknown[]> {
    const serial = ++this.#serial;
    return new Promise((resolve, reject) => {
      if (!this.isOpen) return reject(new Error("the session bus has closed the connection"));
      const timer = setTimeout(() => {
        this.#pending.delete(serial);
        reject(new Error(`${call.member} was not answered within ${this.#limitMs / 1_000} s`));
      }, this.#limitMs);
      const settled =
        <Value>(then: (value: Value) => void) =>
        (value: Value) => {
          clearTimeout(timer);
          this.#pending.delete(serial);
          then(value);
        };
      this.#pending.set(serial, { resolve: settled(resolve), reject: settled(reject) });
      this.#socket.write(encodeMessage({ type: "call", serial, ...call, body: values }, signature));
    });
  }

  onSignal(listener: (signal: BusMessage) => void): void {
    this.#listeners.push(listener);
  }

  close(): void {
    this.#socket.destroy();
  }

  #receive(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes]);
    try {
      if (!this.#isGreeted) this.#greet();
      while (this.#isGreeted) {
        const found = decodeMessage(this.#received);
        if (!found) return;
        this.#received = this.#received.subarray(found.length);
        this.#obey(found.message);
      }
    } catch {
      this.#socket.destroy();
    }
  }

  #greet(): void {
    const end = this.#received.indexOf("\r\n");
    if (end < 0) return;
    const line = this.#received.toString("latin1", 0, end);
    this.#received = this.#received.subarray(end + 2);
    this.#isGreeted = line.startsWith("OK ");
    if (this.#isGreeted) this.#greeted?.();
    else this.#refused?.(new Error(`the session bus refuses: ${line}`));
  }

  #obey(message: BusMessage): void {
    const pending = this.#pending.get(message.replyTo ?? 0);
    if (message.type === "return") pending?.resolve(message.body);
    else if (message.type === "error") pending?.reject(new Error(`${message.error}: ${String(message.body[0] ?? "")}`));
    else if (message.type === "signal") for (const listener of this.#listeners) listener(message);
  }

  #closed(): void {
    const error = new Error("the session bus has closed the connection");
    this.#refused?.(error);
    for (const { reject } of this.#pending.values()) reject(error);
  }
}

const driver = {
  destination: "org.freedesktop.DBus",
  path: "/org/freedesktop/DBus",
  interface: "org.freedesktop.DBus",
};
const answerWithinMs = 10_000;
