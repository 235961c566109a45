/** Runs one job at a time per name, in order. Two merges into one branch at once would fail. */
export function keyedMutex(): <Result>(name: string, work: () => Promise<Result>) => Promise<Result> {
  const last = new Map<string, Promise<unknown>>();
  return (name, work) => {
    const mine = (last.get(name) ?? Promise.resolve()).then(work, work);
    last.set(name, mine);
    const leave = () => {
      if (last.get(name) === mine) last.delete(name);
    };
    mine.then(leave, leave);
    return mine;
  };
}
