import { spawnSync } from "node:child_process";

const steps = new Set<() => void>();

/** Says what has to be undone should somebody end the bench; the answer takes it back. */
export function undoOnInterrupt(step: () => void): () => void {
  if (steps.size === 0) for (const signal of signals) process.once(signal, undoAll);
  steps.add(step);
  return () => steps.delete(step);
}

/** Ends a tmux server and what runs in it, before this returns. */
export function endTmux(socketPath: string): void {
  spawnSync("tmux", ["-S", socketPath, "kill-server"], { stdio: "ignore" });
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const interrupted = 130;

// Without a turn of the event loop in between: what is being measured must not notice and fail meanwhile.
function undoAll(): void {
  for (const step of steps) step();
  process.exit(interrupted);
}
