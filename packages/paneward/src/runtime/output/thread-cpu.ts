import { readFileSync } from "node:fs";

type Usage = () => { readonly user: number; readonly system: number };

/** The processor time that this thread has used, in microseconds. Node before 23.9 knows only that of the process. */
export function threadCpuUs(): number {
  const { threadCpuUsage }: { threadCpuUsage?: Usage } = process;
  return threadCpuUsage ? sum(threadCpuUsage.call(process)) : (kernelsCount() ?? sum(process.cpuUsage()));
}

/** As Linux counts it, in steps of 10 ms. */
export function kernelsCount(): number | undefined {
  try {
    const stat = readFileSync("/proc/thread-self/stat", "latin1");
    // The name of the thread, in brackets, may hold anything.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10_000;
  } catch {
    return undefined;
  }
}

function sum({ user, system }: ReturnType<Usage>): number {
  return user + system;
}
