/** Lets requests begin: at once where this returns undefined, else when the promise resolves. */
export type TakeTurn = () => Promise<void> | undefined;

// Requests that arrived in one packet have taken no time yet when the last of them asks.
const maxAtOnce = 4;
const maxMs = 5;

/**
 * All requests that have arrived would begin in one turn of the event loop, and what a long operation waits for, such as a
 * file or a git, is noticed once per turn. `new` takes hundreds of such steps: beside sixteen busy callers it took a minute.
 * So a turn begins a few requests; the others begin in the next turns, in order, one in each.
 */
export function createTurns(): TakeTurn {
  const waiting: (() => void)[] = [];
  let began = 0;
  let begun = 0;
  const endTurn = () => {
    begun = 0;
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(endTurn);
  };
  return () => {
    const now = performance.now();
    const isFull = begun >= maxAtOnce || (begun > 0 && now - began >= maxMs);
    if (waiting.length > 0 || isFull) return new Promise((resolve) => void waiting.push(resolve));
    if (begun === 0) {
      began = now;
      setImmediate(endTurn);
    }
    begun++;
    return undefined;
  };
}
