import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const steps = new Set<() => void>();

/** Registers a cleanup for when the bench is interrupted; the returned function unregisters it. */
export function undoOnInterrupt(step: () => void): () => void {
  if (steps.size === 0) for (const signal of signals) process.on(signal, undoAll);
  steps.add(step);
  return () => {
    steps.delete(step);
    if (steps.size === 0) for (const signal of signals) process.off(signal, undoAll);
  };
}

/** Kills a tmux server and everything in it, synchronously. */
export function endTmux(socketPath: string): void {
  const tmux = (...command: readonly string[]) => spawnSync("tmux", ["-S", socketPath, ...command]).stdout.toString();
  const pid = Number(tmux("display-message", "-p", "#{pid}"));
  tmux("kill-server");
  // tmux 3.3a waits forever for a control client whose reader was killed before it had read everything.
  if (pid > 0 && !endsWithin(pid, 2_000)) process.kill(pid, "SIGKILL");
}

function endsWithin(pid: number, ms: number): boolean {
  const deadline = performance.now() + ms;
  while (existsSync(`/proc/${pid}`)) {
    if (performance.now() > deadline) return false;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  }
  return true;
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const interrupted = 130;

// Synchronous: the code under measurement must not notice and fail in the meantime.
function undoAll(): void {
  for (const step of steps) step();
  process.exit(interrupted);
}
