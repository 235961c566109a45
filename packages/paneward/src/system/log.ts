import { appendFileSync, renameSync, rmSync, statSync } from "node:fs";
import { pino } from "pino";
import type { Log } from "../runtime/ports.ts";

const largest = 5 * 1_048_576;
const kept = 3;

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
export function rotatingFile(path: string, limit = largest): { write(line: string): void } {
  let size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return {
    write(line) {
      try {
        if (size + line.length > limit && size > 0) {
          rotate(path);
          size = 0;
        }
        appendFileSync(path, line, { mode: 0o600 });
        size += Buffer.byteLength(line);
      } catch {
        // A full disk or a folder that was removed must not end the daemon; there is nowhere left to say so.
      }
    },
  };
}

function rotate(path: string): void {
  rmSync(`${path}.${kept}`, { force: true });
  for (let at = kept - 1; at >= 1; at--) moveIfThere(`${path}.${at}`, `${path}.${at + 1}`);
  moveIfThere(path, `${path}.1`);
}

function moveIfThere(from: string, to: string): void {
  if (statSync(from, { throwIfNoEntry: false })) renameSync(from, to);
}
