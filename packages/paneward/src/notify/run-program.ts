import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { homedir } from "node:os";
import type { Ran } from "./channel.ts";

/**
 * Runs a program without a shell, and ends it, with what it started, when it takes too long. What it leaves running when it
 * ends by itself may keep running: nothing waits for that.
 */
export function runProgram(
  argv: readonly string[],
  { input = "", limitMs }: { readonly input?: string; readonly limitMs: number },
): Promise<Ran> {
  const [named = "", ...args] = argv;
  const program = named.replace(/^~(?=\/)/, homedir());
  return new Promise((resolve) => {
    const child = started(program, args);
    if (child instanceof Error) return resolve({ kind: "missing", reason: child.message });
    const end = (ran: Ran) => {
      clearTimeout(timer);
      for (const stream of child.stdio) stream?.destroy();
      resolve(ran);
    };
    const timer = setTimeout(() => {
      killGroup(child.pid);
      end({ kind: "silent" });
    }, limitMs);
    const texts = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (piece: string) => {
        if (texts[name].length < maxText) texts[name] += piece;
      });
    }
    // A program that does not read its input is not wrong.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    child.once("error", ({ message }) => end({ kind: "missing", reason: message }));
    const ended = () => {
      const { exitCode, signalCode } = child;
      const stderr = signalCode === null ? texts.stderr : `${signalCode} ${texts.stderr}`;
      end({ kind: "ended", code: exitCode ?? 128, ...texts, stderr });
    };
    child.once("close", ended);
    // What it started may keep its output open for ever.
    child.once("exit", () => setTimeout(ended, restOfOutputMs));
  });
}

/** In a group of its own, so that all of it can be ended. */
function started(program: string, args: readonly string[]): ChildProcessWithoutNullStreams | Error {
  try {
    return spawn(program, args, { stdio: "pipe", detached: true });
  } catch (error) {
    // What no program can be given, such as an argument with a zero in it.
    return error as Error;
  }
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // It ended just now.
  }
}

const restOfOutputMs = 500;

const maxText = 65_536;
