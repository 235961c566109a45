import type { ChildProcess } from "node:child_process";
import { TmuxError } from "../protocol/errors.ts";
import { Greeting, programBegins } from "./greeting.ts";
import { type Host, isLocal, onHost } from "./host.ts";
import { startChild } from "./start-child.ts";

export interface Finished {
  readonly code: number;
  /** The program was killed by a signal: its command may have taken effect. */
  readonly killed: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ChildOptions {
  readonly timeoutMs: number;
  readonly stdin?: string;
  /** It changes nothing: after a timeout, nothing has happened. */
  readonly harmless?: boolean;
  /** Use the host's own environment, not the one configured for its tmux. */
  readonly ownEnvironment?: boolean;
}

/** Kills a process without waiting for children that may hold its pipes open. */
export function endNow(child: ChildProcess): void {
  child.kill("SIGKILL");
  for (const pipe of child.stdio) pipe?.destroy();
}

/** Runs one program on a host to its end. A timeout kills our process; its command may still take effect. */
export function runChild(host: Host, argv: readonly string[], options: ChildOptions): Promise<Finished> {
  const { file, args, env } = onHost(host, argv, options.ownEnvironment);
  return new Promise((resolve, reject) => {
    let child: ReturnType<typeof startChild>;
    try {
      child = startChild(file, args, { env });
    } catch (cause) {
      throw notStarted(host, file, argv, cause);
    }
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    const timer = setTimeout(() => {
      endNow(child);
      reject(timeoutError(argv, options, Buffer.concat(stderr).toString()));
    }, options.timeoutMs);
    child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
    // A program that exits before reading all input breaks the pipe; its exit code is the reason.
    child.stdin.on("error", () => {});
    child.stdin.end(options.stdin ?? "");
    child.on("error", (cause) => {
      clearTimeout(timer);
      reject(notStarted(host, file, argv, cause));
    });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      const text = { stdout: printed(host, Buffer.concat(stdout)), stderr: Buffer.concat(stderr).toString() };
      resolve({ code: code ?? 255, killed: signal !== null, ...text });
    });
  });
}

// If no program started, the output before it may be the reason.
function printed(host: Host, stdout: Buffer): string {
  const hasGreeting = !isLocal(host) && stdout.includes(programBegins);
  return (hasGreeting ? new Greeting().after(stdout) : stdout).toString();
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

function timeoutError(argv: readonly string[], { timeoutMs, harmless }: ChildOptions, stderr: string): TmuxError {
  const still = harmless ? "" : "; the command may still have taken effect";
  return new TmuxError("timeout", `no answer within ${timeoutMs} ms${still}`, {
    argv,
    stderr,
    delivered: harmless ? "no" : "maybe",
  });
}
