import { type ExecFileException, execFile } from "node:child_process";
import { statSync } from "node:fs";
import { stat, statfs } from "node:fs/promises";
import { connect } from "node:net";
import { homedir } from "node:os";
import { promisify } from "node:util";
import { readForeign } from "@paneward/sdk/node/files";
import type { Machine } from "../runtime/ports.ts";
import { bootId } from "./boot.ts";
import { cpuTimeOf } from "./cpu.ts";
import { leftOf } from "./processes.ts";

const reachMs = 3_000;

/** Facts about the machine that the daemon runs on. */
export const machine: Machine = {
  async ask(program, args, { env, limitMs = 5_000 } = {}) {
    try {
      const options = { timeout: limitMs, killSignal: "SIGKILL", ...(env && { env }) } as const;
      const { stdout } = await promisify(execFile)(program, args, options);
      return { kind: "printed", text: stdout.trim() };
    } catch (error) {
      const { code, killed, stderr, message } = error as ExecFileException & { readonly stderr?: string };
      if (code === "ENOENT") return { kind: "missing" };
      if (killed && code !== "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return { kind: "silent" };
      return { kind: "failed", reason: stderr?.trim().split("\n")[0] || message };
    }
  },
  async mode(path) {
    const found = await stat(atHome(path)).catch(() => undefined);
    return found && found.mode & 0o777;
  },
  changedAt: async (path) => (await stat(atHome(path)).catch(() => undefined))?.mtimeMs,
  async text(path) {
    const bytes = await readForeign(atHome(path), { maxBytes: 65_536, followLinks: true }).catch(() => undefined);
    return bytes?.toString("utf8");
  },
  isFolder: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true,
  async free(path) {
    const { blocks, bavail, bsize, files, ffree } = await statfs(path);
    const unlimited = Number.POSITIVE_INFINITY;
    return { bytes: blocks === 0 ? unlimited : bavail * bsize, files: files === 0 ? unlimited : ffree };
  },
  cpuTime: (pid) => cpuTimeOf(pid),
  unreachable: (host, port) =>
    new Promise((resolve) => {
      const socket = connect({ host, port, signal: AbortSignal.timeout(reachMs) });
      const end = (why: string | undefined) => {
        socket.destroy();
        resolve(why);
      };
      socket.once("connect", () => end(undefined));
      socket.on("error", ({ name, message }) => end(name === "AbortError" ? "no answer" : message));
    }),
  boot: bootId(),
  leftOf: (terminal, wrapper) => leftOf(terminal, wrapper),
  runs(pid) {
    try {
      return process.kill(pid, 0);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === "EPERM";
    }
  },
};

function atHome(path: string): string {
  return path.replace(/^~(?=\/)/, homedir());
}
