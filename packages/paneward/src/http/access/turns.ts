/** Lets a request of a connection begin: at once where this returns undefined, else when the promise resolves. */
export type TakeTurn = (connection: object) => Promise<void> | undefined;

// Requests that arrived in one packet have taken no time yet when the last of them asks.
const maxAtOnce = 4;
const maxMs = 5;
// Those that waited begin one after the other: each has taken its time when the next one asks.
const maxWaited = 32;
const waitedMs = 0.5;

/**
 * All requests that have arrived would begin in one turn of the event loop, and what a long operation waits for, such as a
 * file or a git, is noticed once per turn. `new` takes hundreds of such steps: beside sixteen busy callers it took a minute.
 * So a turn begins a few requests; the others begin in the next turns, of each connection in turn: one in each turn, and more
 * while they take half a millisecond together.
 */
export function createTurns(): TakeTurn {
  const waiting = new Map<object, (() => void)[]>();
  let count = 0;
  let began = 0;
  let begun = 0;
  let asked = 0;
  const beginNext = () => {
    for (const [connection, own] of waiting) {
      const begin = own.shift();
      waiting.delete(connection);
      if (own.length > 0) waiting.set(connection, own);
      count--;
      return begin?.();
    }
  };
  // Between two immediates of one turn, Node runs what the first one began, up to where that waits.
  const beginAnother = () => {
    if (count > 0 && performance.now() - began < waitedMs) beginNext();
  };
  const askForAnother = () => {
    if (asked >= maxWaited) return;
    asked++;
    setImmediate(beginAnother);
  };
  const endTurn = () => {
    began = performance.now();
    begun = 0;
    asked = 0;
    beginNext();
    if (count === 0) return;
    setImmediate(endTurn);
    for (let more = Math.min(count, maxWaited); more > 1; more--) askForAnother();
  };
  return (connection) => {
    const now = performance.now();
    const isFull = begun >= maxAtOnce || (begun > 0 && now - began >= maxMs);
    if (count > 0 || isFull) {
      return new Promise((resolve) => {
        const own = waiting.get(connection);
        if (own) own.push(resolve);
        else waiting.set(connection, [resolve]);
        count++;
        askForAnother();
      });
    }
    if (begun === 0) {
      began = now;
      setImmediate(endTurn);
    }
    begun++;
    return undefined;
  };
}
