/** Does one thing at a time, in turns: each name has its own line, and the next thing comes from the next line. */
export function fairTurns(): <Result>(name: string, work: () => Promise<Result>) => Promise<Result> {
  const lines = new Map<string, (() => Promise<void>)[]>();
  let isBusy = false;
  const next = async () => {
    const [first] = lines;
    if (isBusy || !first) return;
    const [name, line] = first;
    const turn = line.shift();
    // To the end of the row, if it has more to do.
    lines.delete(name);
    if (line.length > 0) lines.set(name, line);
    isBusy = true;
    await turn?.();
    isBusy = false;
    void next();
  };
  return (name, work) =>
    new Promise((resolve, reject) => {
      const line = lines.get(name) ?? [];
      lines.set(name, line);
      line.push(() => work().then(resolve, reject));
      void next();
    });
}
