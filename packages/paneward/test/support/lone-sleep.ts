import { readdirSync, readFileSync } from "node:fs";
import { afterwards, type Cleanup } from "./folder.ts";

let next = 0;

/**
 * A program of which no other run has one like it, so that its processes can be counted. Those that are left after the test
 * are ended: one that ignores the hangup outlives its terminal and its tmux server.
 */
export function loneSleep(t: Cleanup): readonly ["sleep", string] {
  const argv = ["sleep", `8${process.pid}.${Date.now() % 100_000}${++next}`] as const;
  afterwards(t, () => {
    for (const pid of running(argv)) end(pid);
  });
  return argv;
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

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It just ended by itself.
  }
}
