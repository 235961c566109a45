import { type ExecFileException, execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";

/** Names the git that works with a private folder in that folder: it may outlive the daemon that started it. */
export function noteRunning(folder: string, pid: number): void {
  try {
    writeFileSync(pidFile(folder), `${pid}\n`, { mode: 0o600 });
  } catch {
    // A full disk must not make git's own outcome unknown.
  }
}

/** Whether the git that was started for this folder still runs; its number may belong to another process by now. */
export async function isRunning(folder: string): Promise<boolean> {
  const pid = (await readFile(pidFile(folder), "utf8").catch(() => "")).trim();
  if (!/^\d+$/.test(pid)) return false;
  const args = ["-o", "stat=,comm=", "-p", pid];
  const stdout = await promisify(execFile)("ps", args).then((ended) => ended.stdout, printedAnyway);
  // Unknown: it is asked again later.
  if (stdout === undefined) return true;
  const [, state = "", command = ""] = /^(\S+)\s+(.*)$/.exec(stdout.trim()) ?? [];
  // Where no process reaps them, as in some containers, processes without a parent stay as zombies.
  return !state.startsWith("Z") && basename(command) === "git";
}

/** `ps` fails for a process that is gone. One that the system did not start, or killed, says nothing. */
function printedAnyway({ code, stdout = "" }: ExecFileException & { readonly stdout?: string }): string | undefined {
  return typeof code === "number" || code === "ENOENT" ? stdout : undefined;
}

function pidFile(folder: string): string {
  return join(folder, "pid");
}
