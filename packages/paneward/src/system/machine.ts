import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { stat, statfs } from "node:fs/promises";
import { promisify } from "node:util";
import type { Machine } from "../runtime/ports.ts";
import { cpuTimeOf } from "./cpu.ts";

/** Facts about the machine that the daemon runs on. */
export const machine: Machine = {
  async printed(program, args) {
    try {
      const { stdout } = await promisify(execFile)(program, args, { timeout: 5_000 });
      return stdout.trim();
    } catch {
      return undefined;
    }
  },
  async mode(path) {
    const found = await stat(path).catch(() => undefined);
    return found && found.mode & 0o777;
  },
  isFolder: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true,
  async freeBytes(path) {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  },
  cpuTime: (pid) => cpuTimeOf(pid),
  runs(pid) {
    try {
      return process.kill(pid, 0);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === "EPERM";
    }
  },
};
