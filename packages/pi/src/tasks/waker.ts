import { type ChildProcess, spawn } from "node:child_process";
import { statSync } from "node:fs";

/** The channel that hooks of a task session signal. */
export function channelOf(session: string): string {
  return `pi-tasks-${session}`;
}

/**
 * Wakes us when tmux signals the channel. A small shell waits with `tmux wait-for` again and again; it ends with its
 * stdin, so it never outlives this process, however that ends.
 */
export class Waker {
  #child: ChildProcess | undefined;
  /** The socket on which nobody answered; a server that starts makes a new one. */
  #deaf: string | undefined;
  readonly #socketPath: string;
  readonly #channel: string;
  readonly #onWake: () => void;

  constructor(socketPath: string, channel: string, onWake: () => void) {
    this.#socketPath = socketPath;
    this.#channel = channel;
    this.#onWake = onWake;
  }

  /** Starts to wait unless it does already. */
  ensure(): void {
    const socket = stampOf(this.#socketPath);
    if (this.#child || socket === undefined || socket === this.#deaf) return;
    const argv = ["-c", script, "pi-tasks", "tmux", "-u", "-f", "/dev/null", "-S", this.#socketPath];
    // A process group of its own: the shell ends the whole of it.
    const child = spawn("/bin/sh", [...argv, "wait-for", this.#channel], {
      detached: true,
      stdio: ["pipe", "pipe", "ignore"],
    });
    this.#child = child;
    const forget = () => {
      if (this.#child !== child) return;
      this.#child = undefined;
      this.#deaf = socket;
    };
    child.on("error", forget);
    child.on("exit", forget);
    child.stdin.on("error", () => {});
    child.stdout.on("data", () => {
      if (this.#child === child) this.#onWake();
    });
    // Waiting must not keep pi from ending.
    child.unref();
    for (const pipe of [child.stdin, child.stdout]) (pipe as unknown as { unref(): void }).unref();
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
