import { spawn } from "node:child_process";
import { PanewardError } from "@paneward/sdk";
import type { TaskRecord } from "../model/records.ts";
import { lines } from "./lines.ts";

/** What prepares a worktree. */
export interface Setup {
  readonly name: string;
  readonly argv: readonly string[];
}

export interface SetupResult {
  readonly ran?: string;
  readonly output: string;
}

/** Runs the configured command or the repository's setup script in the worktree. */
export async function runSetup(
  task: TaskRecord,
  setup: Setup | undefined,
  env: Readonly<Record<string, string>>,
  onLine: (line: string) => void,
): Promise<SetupResult> {
  if (!setup) return { output: "" };
  const { ended, output } = await run(task, setup.argv, env, onLine);
  if (ended === "0") return { ran: setup.name, output };
  const lastLines = output.trimEnd().split("\n").slice(-10).join("\n");
  throw new PanewardError("wrong_state", `${setup.name} failed (${ended}):\n${lastLines}`, {
    hint: `fix it, then run \`paneward bootstrap ${task.id}\``,
  });
}

interface Ran {
  /** The exit code, the signal, or an error message. */
  readonly ended: string;
  readonly output: string;
}

async function run(
  task: TaskRecord,
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  onLine: (line: string) => void,
): Promise<Ran> {
  const { PATH = "/usr/local/bin:/usr/bin:/bin", HOME = "/" } = process.env;
  // One pipe for both streams keeps errors in order with the output.
  const child = spawn("/bin/sh", ["-c", 'exec "$@" 2>&1', "setup", ...argv], {
    cwd: task.worktree,
    env: { PATH, HOME, ...env },
    stdio: ["ignore", "pipe", "ignore"],
    // A new session has no terminal, so that reading /dev/tty fails instead of waiting forever.
    detached: true,
  });
  const kept = lines(onLine);
  // There is no pipe if no file could be opened for it.
  child.stdout?.setEncoding("utf8").on("data", kept.add);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  child.on("error", reject);
  child.on("close", (code, signal) => resolve(signal ?? String(code)));
  child.on("exit", (code, signal) => afterLastOutput(() => resolve(signal ?? String(code))));
  try {
    return { ended: await promise, output: kept.end() };
  } catch (cause) {
    return { ended: cause instanceof Error ? cause.message : String(cause), output: kept.end() };
  } finally {
    child.stdout?.destroy();
  }
}

/** A background process left by the script keeps the pipe open after the script has ended. */
function afterLastOutput(go: () => void): void {
  setTimeout(go, 200).unref();
}
