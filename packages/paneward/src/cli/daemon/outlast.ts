import { type CallOptions, type Client, operationNames, PanewardError, routes } from "@paneward/sdk";

interface Clients {
  /** May start the daemon. */
  readonly client: Client;
  readonly running: Client;
}

type Ask = (input: object, options?: CallOptions) => Promise<unknown>;

/**
 * The client with calls that outlast the daemon that they were made to, as they may be repeated: reading, waiting,
 * restoring, and sending with a key. When the connection breaks, they are made again to the next daemon, for the time that is left.
 */
export function outlasting(clients: Clients, patienceMs = 30_000): Client {
  const calls = repeatable.map((name) => {
    const ask: Ask = (input, options = {}) => {
      const once = name === "send" && !("idempotency_key" in input);
      if (once) return (clients.client[name] as Ask)(input, options);
      // The first look at `performance` loads ten modules of Node.
      const began = process.uptime();
      const left = () => timeLeft(input, process.uptime() - began);
      return untilAnswered(
        () => (clients.client[name] as Ask)(input, options),
        () => (clients.running[name] as Ask)(left(), options),
        () => nextDaemon(clients, patienceMs, options.signal),
        options.signal,
      );
    };
    return [name, ask];
  });
  return { ...clients.client, ...Object.fromEntries(calls) };
}

async function untilAnswered(
  first: () => Promise<unknown>,
  again: () => Promise<unknown>,
  next: () => Promise<string>,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  let before: string | undefined;
  for (let ask = first; ; ask = again) {
    try {
      return await ask();
    } catch (error) {
      if (signal?.aborted || !isCutOff(error)) throw error;
      const daemon = await next();
      // The same one broke off twice: that is no restart.
      if (daemon === before) throw error;
      before = daemon;
    }
  }
}

const repeatable = [
  ...operationNames.filter((name) => routes[name].method === "get" && name !== "ping"),
  "wait",
  "send",
  // What was started before the connection broke is not started again.
  "restore",
] as const;

export function isCutOff(error: unknown): boolean {
  return error instanceof PanewardError && error.code === "outcome_unknown";
}

/** How long `wait` and `read` may take is a number in their input. */
function timeLeft(input: object, seconds: number): object {
  const names = (["timeout", "wait"] as const).filter((name) => Number(Reflect.get(input, name)) > 0);
  const left = names.map((name) => [name, Math.max(0, Number(Reflect.get(input, name)) - seconds)]);
  return { ...input, ...Object.fromEntries(left) };
}

/** Identifies the daemon that answers, once one does. */
async function nextDaemon({ client, running }: Clients, patienceMs: number, signal?: AbortSignal): Promise<string> {
  const deadline = performance.now() + patienceMs;
  let asked = running;
  let cutOff = 0;
  for (let pause = 50; ; pause = Math.min(2 * pause, 1_000)) {
    try {
      const { pid, startedAt } = await asked.ping({});
      return `${pid} ${startedAt}`;
    } catch (error) {
      if (!(error instanceof PanewardError) || error.row.retry === "no") throw error;
      cutOff = isCutOff(error) ? cutOff + 1 : 0;
      if (cutOff === breaksOfNoDaemon) throw isNoDaemon(error);
      if (signal?.aborted || performance.now() > deadline) throw stayedAway(error, patienceMs);
      // A daemon that stops removes its socket, and what stopped it starts the next one. A killed one leaves its socket.
      if ((error.cause as NodeJS.ErrnoException | undefined)?.code === "ECONNREFUSED") asked = client;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** A daemon that ends breaks off one connection, and accepts none after it. */
const breaksOfNoDaemon = 5;

export function isNoDaemon(cause: unknown): PanewardError {
  return new PanewardError(
    "unavailable",
    "what listens on the daemon's socket is no Paneward daemon, or a broken one",
    {
      hint: "`paneward doctor` shows the path; set PANEWARD_SOCKET_PATH to another, or end what listens there",
      cause,
    },
  );
}

function stayedAway(cause: unknown, patienceMs: number): PanewardError {
  const seconds = Math.round(patienceMs / 1_000);
  const message = `the daemon stopped and did not come back within ${seconds} s; terminals keep running`;
  const hint = "`paneward daemon start` starts it; repeat the command then";
  return new PanewardError("unavailable", message, { hint, cause });
}
