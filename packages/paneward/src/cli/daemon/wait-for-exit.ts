import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { PanewardError } from "@paneward/sdk";
import { type Connection, isNotRunning } from "./connection.ts";

/** Waits until a daemon that was asked to stop no longer answers and its process has exited. */
export async function waitForExit(connection: Connection, pid: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while ((connection.isLocal && isAlive(pid)) || (await answers(connection))) {
    if (performance.now() > deadline) {
      throw new PanewardError(
        "outcome_unknown",
        `the daemon with pid ${pid} is still running after ${timeoutMs / 1_000} s`,
        {
          hint: `its log is ${connection.places.log}`,
        },
      );
    }
    await delay(retryMs);
  }
}

const timeoutMs = 20_000;
const retryMs = 15;

async function answers({ running }: Connection): Promise<boolean> {
  try {
    await running.ping({});
    return true;
  } catch (error) {
    return !isNotRunning(error);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Without an init process, as in some containers, zombies are never reaped, and kill(pid, 0) succeeds on them. */
function isZombie(pid: number): boolean {
  try {
    return /^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
