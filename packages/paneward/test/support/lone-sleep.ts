import { readdirSync, readFileSync } from "node:fs";

let next = 0;

/** A program of which no other run has one like it, so that its processes can be counted. */
export function loneSleep(): readonly ["sleep", string] {
  return ["sleep", `8${process.pid}.${Date.now() % 100_000}${++next}`];
}

/** The processes of such a program, over all terminals and none. */
export function running([program, seconds]: readonly [string, string]): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && argvOf(name)[0] === program && argvOf(name)[1] === seconds)
    .map(Number);
}

function argvOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return [];
  }
}
