import type { Log } from "../runtime/ports.ts";

export interface SignalsOptions {
  /** Someone looks at the daemon in a terminal, and closing that sends SIGHUP. A service manager means "continue" by it. */
  readonly foreground: boolean;
  readonly stop: (signal: string) => void;
  readonly log: Pick<Log, "info">;
}

/** The part of a process that is needed here. */
export interface Signalled {
  on(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
  off(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
}

/**
 * What each signal does. Without a handler, SIGUSR2 would end the daemon silently, and at SIGUSR1 Node opens its
 * debugger to everyone on this machine.
 */
export function handleSignals(process: Signalled, { foreground, stop, log }: SignalsOptions): { stop(): void } {
  const ignore = (signal: NodeJS.Signals) => log.info("a signal changes nothing", { signal });
  const listeners: readonly (readonly [NodeJS.Signals, (signal: NodeJS.Signals) => void])[] = [
    ["SIGTERM", stop],
    ["SIGINT", stop],
    ["SIGHUP", foreground ? stop : ignore],
    ["SIGUSR1", ignore],
    ["SIGUSR2", ignore],
  ];
  for (const [signal, listener] of listeners) process.on(signal, listener);
  return {
    stop() {
      for (const [signal, listener] of listeners) process.off(signal, listener);
    },
  };
}
