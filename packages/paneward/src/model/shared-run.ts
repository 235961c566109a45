/**
 * Runs one job at a time for all that ask. Those that ask meanwhile share the next run: what they get was found out after they
 * asked.
 */
export function sharedRun<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let current: Promise<unknown> | undefined;
  let next: Promise<Result> | undefined;
  const begin = (): Promise<Result> => {
    next = undefined;
    const mine = work();
    current = mine;
    const end = () => {
      if (current === mine) current = undefined;
    };
    mine.then(end, end);
    return mine;
  };
  return () => {
    if (next) return next;
    if (current === undefined) return begin();
    next = current.then(begin, begin);
    return next;
  };
}
