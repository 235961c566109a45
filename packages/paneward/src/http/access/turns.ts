/** Lets a request of a connection begin: at once where this returns undefined, else when the promise resolves. */
export type TakeTurn = (connection: object) => Promise<void> | undefined;

// Requests that arrived in one packet have taken no time yet when the last of them asks.
const maxAtOnce = 4;
const maxMs = 5;

/**
 * All requests that have arrived would begin in one turn of the event loop, and what a long operation waits for, such as a
 * file or a git, is noticed once per turn. `new` takes hundreds of such steps: beside sixteen busy callers it took a minute.
 * So a turn begins a few requests; the others begin in the next turns, one in each, of each connection in turn.
 */
export function createTurns(): TakeTurn {
  const waiting = new Map<object, (() => void)[]>();
  let began = 0;
  let begun = 0;
  const beginNext = () => {
    for (const [connection, own] of waiting) {
      const begin = own.shift();
      waiting.delete(connection);
      if (own.length > 0) waiting.set(connection, own);
      return begin?.();
    }
  };
  const endTurn = () => {
    begun = 0;
    beginNext();
    if (waiting.size > 0) setImmediate(endTurn);
  };
  return (connection) => {
    const now = performance.now();
    const isFull = begun >= maxAtOnce || (begun > 0 && now - began >= maxMs);
    if (waiting.size > 0 || isFull) {
      return new Promise((resolve) => {
        const own = waiting.get(connection);
        if (own) own.push(resolve);
        else waiting.set(connection, [resolve]);
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
