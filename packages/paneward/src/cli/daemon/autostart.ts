import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, fstatSync, mkdtempSync, readSync, rmSync, statfsSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Places } from "@paneward/sdk";
import { errorTable, PanewardError } from "@paneward/sdk";
import { makeFolders } from "@paneward/sdk/node";
import { openToAppend } from "@paneward/sdk/node/files";
import { daemonArgv } from "./daemon-argv.ts";
import { takeTurn } from "./start-turn.ts";
import { startupFailure } from "./startup-words.ts";

/** Starts the daemon in the background, by the service if one is installed, and waits until it listens. */
export async function startDaemon(places: Places, env: NodeJS.ProcessEnv): Promise<void> {
  const printed = openPrinted(places.log);
  const endTurn = await takeTurn(join(dirname(places.log), "start.sock"), timeoutMs);
  try {
    if (await isListening(places.socket)) return;
    await startNow(places, printed, env);
  } finally {
    endTurn?.();
    printed.close();
  }
}

async function startNow(places: Places, printed: Printed, env: NodeJS.ProcessEnv): Promise<void> {
  const { startByService } = await import("../../service/service.ts");
  const started = await startByService(places, env);
  if (started.kind === "not its own") return await startAlone(places, printed, env);
  if (started.kind === "failed" && started.exitCode !== alreadyRunningCode) {
    if (printed.text() === "" && started.exitCode === 0) throw started.why;
    throw didNotStart(places, started.exitCode, printed.text());
  }
  await untilListening(places, printed, () => {});
}

async function startAlone(places: Places, printed: Printed, env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawnDaemon(printed.file, env);
  await untilListening(places, printed, () => {
    const code = child.exitCode ?? (child.signalCode === null ? undefined : 1);
    // Exit code 6: another command started a daemon first, and it will listen soon.
    if (code !== undefined && code !== alreadyRunningCode) throw didNotStart(places, code, printed.text());
  });
}

async function untilListening(places: Places, printed: Printed, requireAlive: () => void): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await isListening(places.socket))) {
    requireAlive();
    if (performance.now() > deadline) throw notYetListening(places, printed.text());
    await delay(retryMs);
  }
}

const timeoutMs = 15_000;
const retryMs = 15;
const alreadyRunningCode = 6;

function spawnDaemon(printed: number | "ignore", env: NodeJS.ProcessEnv): ChildProcess {
  const [node = "", ...args] = daemonArgv();
  const child = spawn(node, args, {
    detached: true,
    stdio: ["ignore", printed, printed],
    env,
    cwd: "/",
  });
  child.on("error", () => {});
  // However this goes, the command ends without waiting for the daemon's end.
  child.unref();
  return child;
}

/** Where the daemon prints, and what it has printed there. */
interface Printed {
  readonly file: number | "ignore";
  text(): string;
  close(): void;
}

/** The end of its log; if there can be none, a file without a name. */
function openPrinted(log: string): Printed {
  const file = openedLog(log) ?? unnamedFile();
  if (file === undefined) return { file: "ignore", text: () => "", close: () => {} };
  const from = fstatSync(file).size;
  return {
    file,
    text() {
      const bytes = Buffer.alloc(Math.min(fstatSync(file).size - from, maxPrinted));
      return bytes.toString("utf8", 0, readSync(file, bytes, 0, bytes.length, from));
    },
    close: () => closeSync(file),
  };
}

const maxPrinted = 1_048_576;

function openedLog(path: string): number | undefined {
  try {
    makeFolders(dirname(path));
    return openToAppend(path);
  } catch {
    return undefined;
  }
}

function unnamedFile(): number | undefined {
  try {
    const folder = mkdtempSync(join(tmpdir(), "paneward-"));
    try {
      return openToAppend(join(folder, "printed"));
    } finally {
      rmSync(folder, { recursive: true });
    }
  } catch {
    return undefined;
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

function didNotStart(places: Places, code: number, printed: string): PanewardError {
  const failure = startupFailure(printed);
  const { message = `it ended with code ${code}`, hint } = failure ?? {};
  if (!failure && isFull(dirname(places.log))) return noRoom(dirname(places.log));
  const text = `the daemon could not be started: ${message}`;
  // The daemon exits with a code of its own for what is wrong with its database, and says so. Node has codes, too.
  const kinds = failure ? (["storage_damaged", "storage_newer"] as const) : [];
  const kind = kinds.find((one) => errorTable[one].exitCode === code);
  if (kind) return new PanewardError(kind, text, hint === undefined ? {} : { hint });
  return new PanewardError("unavailable", text, { hint: hint ?? `its log is ${places.log}; ${inForeground}` });
}

/** Where the disk has no room, the daemon cannot even write down that it is so. */
function isFull(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < minRoom;
  } catch {
    return false;
  }
}

const minRoom = 65_536;

function noRoom(folder: string): PanewardError {
  return new PanewardError("storage_full", `the daemon could not be started: no room on the disk for ${folder}`, {
    hint: "free some disk space (`df -h`), or set PANEWARD_HOME to a folder on another disk, then try again",
  });
}

/** It may be slow, with much to find again: it is left to finish. */
function notYetListening({ socket, log }: Places, printed: string): PanewardError {
  const why = startupFailure(printed)?.message ?? "it is still starting";
  return new PanewardError("unavailable", `no daemon listens on ${socket} after ${timeoutMs / 1_000} s: ${why}`, {
    hint: `try again in a moment; the log is ${log}`,
  });
}

const inForeground = "`paneward up` runs it in the foreground";
