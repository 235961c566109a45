/** How many connections each listener takes, and whose. */
export interface ConnectionLimits {
  readonly maxConnections: number;
  readonly maxStrangers: number;
  /** How many connections one caller can keep. */
  readonly maxKept: number;
}

/** What a process that may open so many files has room for. Clients must not take the files that the daemon needs. */
export function connectionLimits(openFiles = Number.POSITIVE_INFINITY): ConnectionLimits {
  const room = Math.floor((openFiles - ownFiles) / listeners);
  const maxConnections = Math.max(fewest, Math.min(most, room));
  return {
    maxConnections,
    maxStrangers: Math.ceil(maxConnections / 4),
    maxKept: Math.ceil(maxConnections / 2),
  };
}

const most = 1_024;
const fewest = 8;
const listeners = 2;
// Measured: 39 when idle (Node, the database, tmux), and a few for each program that is started and each file that is read.
const ownFiles = 64;
