import { cpus } from "node:os";

type Times = () => readonly { readonly times: Readonly<Record<string, number>> }[];

/** Each call answers which part of the processors' time was idle since the one before, from 0 to 1. */
export function idleMeter(times: Times = cpus): () => number {
  let before = sums(times());
  return () => {
    const now = sums(times());
    const [all, idle] = [now.all - before.all, now.idle - before.idle];
    // The kernel counts in steps of 10 ms.
    if (all <= 0) return 0;
    before = now;
    return idle / all;
  };
}

function sums(processors: ReturnType<Times>): { readonly all: number; readonly idle: number } {
  const all = processors.flatMap(({ times }) => Object.values(times)).reduce((sum, one) => sum + one, 0);
  return { all, idle: processors.reduce((sum, { times }) => sum + (times.idle ?? 0), 0) };
}
