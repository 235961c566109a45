import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdirSync } from "node:fs";
import { connect } from "node:net";
import { dirname, extname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Places } from "@paneward/sdk";
import { errorTable, PanewardError } from "@paneward/sdk";
import { openToAppend, readForeignSync } from "@paneward/sdk/node/files";

/** Starts the daemon in the background and waits until it listens. */
export async function startDaemon(places: Places, env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawnDaemon(places, env);
  const deadline = performance.now() + timeoutMs;
  while (!(await isListening(places.socket))) {
    const code = child.exitCode ?? (child.signalCode === null ? undefined : 1);
    // Exit code 6: another command started a daemon first, and it will listen soon.
    if (code !== undefined && code !== alreadyRunningCode)
      throw storageFailure(places, code) ?? didNotStart(places, `it exited immediately with code ${code}`);
    if (performance.now() > deadline) throw didNotStart(places, `it was not listening after ${timeoutMs / 1_000} s`);
    await delay(retryMs);
  }
  child.unref();
}

/** The file that runs this command line, from source or from dist. */
const mainFile = join(import.meta.dirname, "..", `main${extname(import.meta.filename)}`);

const timeoutMs = 15_000;
const retryMs = 15;
const alreadyRunningCode = 6;

function spawnDaemon(places: Places, env: NodeJS.ProcessEnv): ChildProcess {
  mkdirSync(dirname(places.log), { recursive: true, mode: 0o700 });
  const log = openLog(places.log);
  try {
    const child = spawn(process.execPath, ["--disable-sigusr1", ...process.execArgv, mainFile, "daemon", "run"], {
      detached: true,
      stdio: ["ignore", log, log],
      env,
      cwd: "/",
    });
    child.on("error", () => {});
    return child;
  } finally {
    if (log !== "ignore") closeSync(log);
  }
}

// A log that cannot be written keeps no daemon from starting.
function openLog(path: string): number | "ignore" {
  try {
    return openToAppend(path);
  } catch {
    return "ignore";
  }
}

/** Whether the socket accepts connections. */
function isListening(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const attempt = connect(socket);
    attempt.once("connect", () => {
      attempt.destroy();
      resolve(true);
    });
    attempt.once("error", () => resolve(false));
  });
}

function didNotStart(places: Places, reason: string): PanewardError {
  const last = lastLines(places.log).map((line) => `\n  ${line}`);
  return new PanewardError("unavailable", `the daemon could not be started: ${reason}${last.join("")}`, {
    hint: `its log is ${places.log}; \`paneward up\` runs it in the foreground`,
  });
}

/** The daemon has printed the reason into its log, and exits with a code of its own for it. */
function storageFailure(places: Places, code: number): PanewardError | undefined {
  const kinds = ["storage_damaged", "storage_newer"] as const;
  const kind = kinds.find((one) => errorTable[one].exitCode === code);
  if (!kind) return undefined;
  const reason = lastLines(places.log).findLast((line) => line.startsWith("paneward: "));
  return new PanewardError(kind, `the daemon could not be started: ${reason?.slice("paneward: ".length) ?? kind}`);
}

function lastLines(path: string): readonly string[] {
  try {
    const text = readForeignSync(path, { maxBytes: 64 * 1_048_576 })?.toString() ?? "";
    return text.trimEnd().split("\n").slice(-5);
  } catch {
    return [];
  }
}
