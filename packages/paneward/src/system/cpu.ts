import { readFileSync } from "node:fs";
import { processTree } from "./processes.ts";

/**
 * The CPU time of a process and its descendants in milliseconds, including children that have ended. Undefined
 * without /proc (macOS) or if the process is gone. Reads a few files in /proc; starts no program.
 */
export function cpuTimeOf(pid: number, proc = "/proc"): number | undefined {
  const own = ticksUsed(`${proc}/${pid}/stat`);
  if (own === undefined) return undefined;
  const below = processTree(pid, proc).filter((one) => one !== pid);
  return below.reduce((sum, one) => sum + (ticksUsed(`${proc}/${one}/stat`) ?? 0), own) * msPerTick;
}

// utime, stime, cutime and cstime are fields 14 to 17; the name in field 2 may contain spaces and parentheses.
function ticksUsed(path: string): number | undefined {
  const text = textOf(path);
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ");
  return fields?.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}

// USER_HZ is 100 in every Linux that Node runs on.
const msPerTick = 10;
