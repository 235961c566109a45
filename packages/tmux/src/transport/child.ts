import { spawn } from "node:child_process";
import { TmuxError } from "../protocol/errors.ts";
import { type Host, isLocal, onHost } from "./host.ts";

export interface Finished {
  readonly code: number;
  /** The program was ended by a signal: what it asked for may have happened. */
  readonly killed: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ChildOptions {
  readonly timeoutMs: number;
  readonly stdin?: string;
  /** Run it in the environment that the host itself gives, not in the one that is named for its tmux. */
  readonly ownEnvironment?: boolean;
}

/** Runs one program on a host to its end. A time-out ends our process; what it asked for may still happen. */
export function runChild(host: Host, argv: readonly string[], options: ChildOptions): Promise<Finished> {
  const { file, args, env } = onHost(host, argv, options.ownEnvironment);
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { env, stdio: ["pipe", "pipe", "pipe"] });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      child.kill("SIGKILL");
    }, options.timeoutMs);
    child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
    // A program that ends before it has read everything breaks the pipe; its exit code says why.
    child.stdin.on("error", () => {});
    child.stdin.end(options.stdin ?? "");
    child.on("error", (cause) => {
      clearTimeout(timer);
      reject(notStarted(host, file, argv, cause));
    });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      const text = { stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
      if (late) reject(tooLate(argv, options.timeoutMs, text.stderr));
      else resolve({ code: code ?? 255, killed: signal !== null, ...text });
    });
  });
}

function notStarted(host: Host, file: string, argv: readonly string[], cause: unknown): TmuxError {
  const missing = (cause as NodeJS.ErrnoException).code === "ENOENT";
  if (missing && isLocal(host) && argv[0] === host.tmux) {
    return new TmuxError("tmux_not_installed", "tmux is not installed or not on PATH: install tmux 3.2 or newer", {
      argv,
      cause,
    });
  }
  const why = missing ? "it is not installed or not on PATH" : (cause as Error).message;
  return new TmuxError("subprocess_failed", `cannot start ${file}: ${why}`, { argv, cause });
}

function tooLate(argv: readonly string[], ms: number, stderr: string): TmuxError {
  return new TmuxError("timeout", `no answer within ${ms} ms; the command may still have happened`, {
    argv,
    stderr,
    delivered: "maybe",
  });
}
