import { setTimeout as delay } from "node:timers/promises";
import { TmuxError } from "./protocol/errors.ts";
import type { Sequence } from "./protocol/quote.ts";
import { endLeftClients } from "./transport/left-clients.ts";
import { type Address, spawnTransport, startedThrough, unlessMissing } from "./transport/spawn.ts";
import { answerLimitMs, startLimitMs } from "./transport/transport.ts";

export interface Starting {
  readonly sequence: Sequence;
  readonly keeper: string;
  readonly launchers: readonly Launcher[];
}

/** The begin of a command line that runs the rest of it somewhere else, such as in a scope of systemd. */
export type Launcher = readonly string[];

/** Starts a server on this address, or prepares the one that runs there. */
export async function startServer(address: Address, starting: Starting): Promise<void> {
  const began = performance.now();
  for (;;) {
    try {
      await prepare(address, starting);
      return;
    } catch (error) {
      if (!(error instanceof TmuxError)) throw error;
      if (/duplicate session/.test(error.stderr)) return;
      const waitedMs = performance.now() - began;
      if (error.type !== "server_lost" || waitedMs > shutdownMs) throw error;
      if (waitedMs > usualShutdownMs) await endLeftClients(address, starting.keeper);
      await delay(shutdownRetryMs);
    }
  }
}

// A server that is shutting down still accepts connections until it is gone, and drops them. Usually that takes less than
// 0.1 s; with a client that a killed process left behind, it can take for ever.
const shutdownRetryMs = 50;
const usualShutdownMs = 500;
const shutdownMs = 20_000;

/** The first launcher that runs the program is the last that is tried; without any, tmux forks its server itself. */
async function prepare(address: Address, { sequence, launchers }: Starting): Promise<void> {
  const options = { timeoutMs: startLimitMs(address.host) };
  if (launchers.length > 0) {
    // One that runs already needs none.
    if (await unlessMissing(address, sequence, options)) return;
    const soon = { timeoutMs: answerLimitMs(address.host) };
    for (const launcher of launchers) if (await startedThrough(launcher, address, sequence, soon)) return;
  }
  await spawnTransport(address).run(sequence, options);
}
