import { closeSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { openToAppend } from "@paneward/sdk/node/files";
import { pino } from "pino";
import type { Log } from "../runtime/ports.ts";

const maxBytes = 5 * 1_048_576;
const maxFiles = 3;

/** The daemon's log: JSON lines in a file that is rotated by size. */
export function openLog(path: string): Log {
  const logger = pino({ base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, rotatingFile(path));
  return {
    info: (message, details = {}) => logger.info(details, message),
    warn: (message, details = {}) => logger.warn(details, message),
    error: (message, details = {}) => logger.error(details, message),
  };
}

/** `daemon.log`, then `daemon.log.1` and so on, the oldest dropped. */
export function rotatingFile(path: string, limit = maxBytes): { write(line: string): void } {
  let size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  let dropped = 0;
  return {
    write(line) {
      try {
        if (dropped > 0) {
          append(path, `{"level":50,"msg":"lines of this log could not be written","lines":${dropped}}\n`);
          dropped = 0;
        }
        if (size + line.length > limit && size > 0) {
          rotate(path);
          size = 0;
        }
        append(path, line);
        size += Buffer.byteLength(line);
      } catch {
        // A full disk, a removed folder or a FIFO at its place must not end or stop the daemon. The log says so when it can
        // be written again.
        dropped += 1;
      }
    },
  };
}

function append(path: string, text: string): void {
  const file = openToAppend(path);
  try {
    writeSync(file, text);
  } finally {
    closeSync(file);
  }
}

function rotate(path: string): void {
  rmSync(`${path}.${maxFiles}`, { force: true });
  for (let at = maxFiles - 1; at >= 1; at--) moveIfExists(`${path}.${at}`, `${path}.${at + 1}`);
  moveIfExists(path, `${path}.1`);
}

function moveIfExists(from: string, to: string): void {
  if (statSync(from, { throwIfNoEntry: false })) renameSync(from, to);
}
