import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { PanewardError } from "@paneward/sdk";
import { type Connection, isNotThere } from "./connection.ts";

/** Waits until a daemon that was asked to stop listens no more and its process has ended. */
export async function untilGone(connection: Connection, pid: number): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while ((connection.isLocal && isAlive(pid)) || (await answers(connection))) {
    if (performance.now() > deadline) {
      throw new PanewardError(
        "outcome_unknown",
        `the daemon with pid ${pid} is still there after ${patienceMs / 1_000} s`,
        {
          hint: `its log is ${connection.places.log}`,
        },
      );
    }
    await delay(retryMs);
  }
}

const patienceMs = 20_000;
const retryMs = 15;

async function answers({ running }: Connection): Promise<boolean> {
  try {
    await running.ping({});
    return true;
  } catch (error) {
    return !isNotThere(error);
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

/** In a container nobody may collect what has ended; it then looks alive to a signal. */
function isZombie(pid: number): boolean {
  try {
    return /^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
