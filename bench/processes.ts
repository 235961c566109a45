import { existsSync, readFileSync } from "node:fs";

/** CPU time a process has used so far, in milliseconds. */
export function processorMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // After the name in parentheses: user and system time are fields 14 and 15, in hundredths of a second.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Resident memory of a process, in MB. */
export function residentMb(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1_000;
}

/** The running children of a process. */
export function childrenOf(pid: number): readonly number[] {
  const path = `/proc/${pid}/task/${pid}/children`;
  return existsSync(path) ? readFileSync(path, "utf8").split(" ").filter(Boolean).map(Number) : [];
}

/** CPU time used so far by all running processes below this one, in milliseconds. */
export function processorMsBelow(pid: number): number {
  return childrenOf(pid).reduce((sum, child) => sum + onProcessorMs(child) + processorMsBelow(child), 0);
}

// More exact than the hundredths of a second in `stat`: most of these processes have used less.
function onProcessorMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  } catch {
    return 0;
  }
}
