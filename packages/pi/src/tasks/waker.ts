import { type ChildProcess, spawn } from "node:child_process";
import { statSync } from "node:fs";

/** The channel that the hooks of a task session signal. */
export function channelOf(session: string): string {
  return `pi-tasks-${session}`;
}

/**
 * Calls back when tmux signals the channel. A small shell loops over `tmux wait-for`; it exits with its stdin, so it
 * never outlives this process.
 */
export class Waker {
  #child: ChildProcess | undefined;
  /** A socket without a server; a server that starts creates a new one. */
  #deadSocket: string | undefined;
  readonly #socketPath: string;
  readonly #channel: string;
  readonly #onWake: () => void;

  constructor(socketPath: string, channel: string, onWake: () => void) {
    this.#socketPath = socketPath;
    this.#channel = channel;
    this.#onWake = onWake;
  }

  /** Starts waiting, unless it already waits or there is no server. True if it has just started. */
  ensure(): boolean {
    const socket = stampOf(this.#socketPath);
    if (this.#child || socket === undefined || socket === this.#deadSocket) return false;
    const argv = ["-c", script, "pi-tasks", "tmux", "-u", "-f", "/dev/null", "-S", this.#socketPath];
    // A process group of its own, which the shell kills as a whole.
    const child = spawn("/bin/sh", [...argv, "wait-for", this.#channel], {
      detached: true,
      stdio: ["pipe", "pipe", "ignore"],
    });
    this.#child = child;
    const forget = () => {
      if (this.#child !== child) return;
      this.#child = undefined;
      this.#deadSocket = socket;
    };
    child.on("error", forget);
    child.on("exit", forget);
    child.stdin.on("error", () => {});
    child.stdout.on("data", () => {
      if (this.#child === child) this.#onWake();
    });
    // Must not keep pi from exiting.
    child.unref();
    for (const pipe of [child.stdin, child.stdout]) (pipe as unknown as { unref(): void }).unref();
    return true;
  }

  stop(): void {
    const child = this.#child;
    this.#child = undefined;
    child?.stdin?.destroy();
  }
}

function stampOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat && `${stat.ino} ${stat.ctimeMs}`;
}

const script = `trap "" TERM
(trap - TERM; while "$@" </dev/null >/dev/null 2>&1; do echo woke; done; kill -KILL 0) &
while read -r _; do :; done
kill -TERM 0`;
